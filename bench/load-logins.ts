import { sign } from 'node:crypto'
import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import { present } from '../src/trusted/base/assert.ts'
import { p256PublicKeyOf } from '../src/trusted/crypto/p256.ts'
import type { Offer } from './offer.ts'
import { apiPrivateKey } from './raw-limits.ts'
import { type Signer, secretOf } from './service.ts'
import { stamped, type Stamper } from './stamped.ts'

/** A code that was sent, and the sub-organization of whom it was sent to. */
export type SentCode = {
  readonly otpId: string
  readonly code: string
  readonly targetBundle: string
  readonly organizationId: string
}

export type LoginOrder = {
  readonly load: 'logins'
  readonly as: Signer
  /** The key that signs target bundles, uncompressed hex. */
  readonly targetSigner: string
  readonly codes: readonly SentCode[]
}

/** Logins: the code is verified, and its token used in the sub-organization, both in the newest version. */
export async function preparedLogins(order: LoginOrder): Promise<Pick<Offer, 'next' | 'count'>> {
  const { as, codes } = order
  const stamper = { publicKey: as.publicKey, key: apiPrivateKey(Buffer.from(as.privateKey, 'hex')) }
  // One person's key for all: what it costs to make one is the client's affair.
  const person = secretOf('person')
  const client = { publicKey: p256PublicKeyOf(person), key: apiPrivateKey(person) }
  const verifications: Buffer[] = []
  for (const { otpId, code, targetBundle } of codes) {
    const encryptedOtpBundle = await encryptOtpCodeToBundle(
      code,
      targetBundle,
      client.publicKey,
      order.targetSigner,
    )
    const parameters = { otpId, encryptedOtpBundle }
    const { organizationId } = as
    const timestampMs = String(Date.now())
    verifications.push(
      stamped(
        'verify_otp',
        { type: 'ACTIVITY_TYPE_VERIFY_OTP_V2', timestampMs, organizationId, parameters },
        stamper,
      ),
    )
  }
  const loggedIn = new Set<number>()
  return {
    count: codes.length,
    next: (task, answer) => {
      if (answer === undefined) return verifications[task]
      if (loggedIn.has(task)) return undefined
      loggedIn.add(task)
      const token = present(/"verificationToken":"([^"]+)"/.exec(answer)?.[1], 'a token')
      return login(present(codes[task], 'the code').organizationId, token, client, stamper)
    },
  }
}

function login(organizationId: string, verificationToken: string, client: Stamper, stamper: Stamper): Buffer {
  const claims = Buffer.from(verificationToken.split('.')[1] ?? '', 'base64url').toString()
  const tokenId = present(/"id":"([^"]+)"/.exec(claims)?.[1], 'the id of the token')
  const { publicKey } = client
  const message = JSON.stringify({ login: { publicKey }, tokenId, type: 'USAGE_TYPE_LOGIN' })
  const signature = sign('sha256', Buffer.from(message), {
    key: client.key,
    dsaEncoding: 'ieee-p1363',
  }).toString('hex')
  const scheme = 'CLIENT_SIGNATURE_SCHEME_API_P256'
  return stamped(
    'otp_login',
    {
      type: 'ACTIVITY_TYPE_OTP_LOGIN_V2',
      timestampMs: String(Date.now()),
      organizationId,
      parameters: {
        verificationToken,
        publicKey,
        invalidateExisting: true,
        clientSignature: { publicKey, scheme, message, signature },
      },
    },
    stamper,
  )
}
