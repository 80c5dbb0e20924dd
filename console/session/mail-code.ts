import { Answered, StrangeAnswer } from '../service/answered.ts'
import { fromBase64url, toHex, utf8 } from '../service/bytes.ts'
import { newSigningKey, signP256 } from '../service/p256.ts'
import { send } from '../service/post.ts'
import type { Session } from './session.ts'
import { keepSession } from './sign-in.ts'

/** A code that is under way to somebody's mailbox. */
export type SentCode = { readonly configId: string; readonly otpId: string }

/** Has the auth proxy send a code. Whether anybody has this address is not told. */
export async function sendCode(configId: string, contact: string): Promise<SentCode> {
  const answer = await proxied(configId, 'otp_init', { otpType: 'OTP_TYPE_EMAIL', contact })
  return { configId, otpId: answer.text('otpId') }
}

/**
 * The code is good for one key alone: that of this browser, which becomes the session's.
 *
 * @param organizationId  empty where the service is to find the organization by the address, which it does of a
 *                        verified one
 */
export async function signInByCode(
  { configId, otpId }: SentCode,
  otpCode: string,
  organizationId: string,
): Promise<Session> {
  const own = await newSigningKey()
  const { publicKey } = own
  const verified = await proxied(configId, 'otp_verify', { otpId, otpCode, publicKey })
  const verificationToken = verified.text('verificationToken')
  const tokenId = claimsOf(verificationToken).text('id')
  const message = JSON.stringify({ login: { publicKey }, tokenId, type: 'USAGE_TYPE_LOGIN' })
  const clientSignature = {
    publicKey,
    scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
    message,
    signature: toHex(await signP256(own, utf8(message))),
  }
  const login = {
    verificationToken,
    publicKey,
    clientSignature,
    ...(organizationId === '' ? {} : { organizationId }),
  }
  const session = claimsOf((await proxied(configId, 'otp_login_v2', login)).text('session'))
  return await keepSession(own, session.text('organization_id'), session.number('exp') * 1_000)
}

async function proxied(configId: string, endpoint: string, body: object): Promise<Answered> {
  const headers = { 'x-auth-proxy-config-id': configId }
  return await send(`/v1/${endpoint}`, utf8(JSON.stringify(body)), headers)
}

/** What a token says; whether it is true, the service finds out. */
function claimsOf(token: string): Answered {
  const bytes = fromBase64url(token.split('.')[1] ?? '')
  try {
    return new Answered(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    throw new StrangeAnswer('')
  }
}
