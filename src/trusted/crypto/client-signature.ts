import { fromHex, utf8 } from '../base/bytes.ts'
import { defineFailure, Failure, INVALID_ARGUMENT } from '../base/failure.ts'
import { isJsonObject, type JsonObject, readJsonObject } from '../base/strict-json.ts'
import { p256VerifyKey, verifyP256Async, verifyP256P1363Async } from './p256.ts'

/** The object `clientSignature` of logins and sign-ups, as sent. */
export type ClientSignature = {
  readonly publicKey: string
  readonly scheme: string
  readonly message: string
  readonly signature: string
}

/** The use of a verification token that its holder has signed. */
type ClientUsage =
  | { readonly kind: 'login'; readonly tokenId: string; readonly publicKey: string }
  | { readonly kind: 'signup'; readonly tokenId: string; readonly signup: JsonObject }

export const clientSignatureInvalid = defineFailure<{ readonly why: string }>({
  kind: 'clientSignatureInvalid',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `invalid client signature: ${why}`,
})

/**
 * Verifies the signature over the bytes of the message as it was sent, and reads the message. The caller checks that
 * the key is that of the token, and that the usage is that of the activity.
 *
 * @throws  Failure `clientSignatureInvalid`
 */
export async function readClientSignature(sent: ClientSignature): Promise<ClientUsage> {
  const { publicKey, scheme, message, signature } = sent
  if (scheme !== SCHEME) throw clientSignatureInvalid({ why: `the scheme must be ${SCHEME}` })
  const key = COMPRESSED_HEX.test(publicKey) ? p256VerifyKey(publicKey) : undefined
  if (key === undefined)
    throw clientSignatureInvalid({ why: 'publicKey must be a compressed P-256 key in hexadecimal' })
  const bytes = fromHex(signature)
  if (bytes === undefined) throw clientSignatureInvalid({ why: 'signature must be hexadecimal' })
  // Clients send r ‖ s. DER is read as well; DER of 64 bytes would need numbers 6 bytes shorter than usual, which never
  // happens.
  const verify = bytes.length === 64 ? verifyP256P1363Async : verifyP256Async
  if (!(await verify(key, utf8(message), bytes))) throw clientSignatureInvalid({ why: 'it does not verify' })
  return usageIn(readMessage(message))
}

const SCHEME = 'CLIENT_SIGNATURE_SCHEME_API_P256'
const COMPRESSED_HEX = /^0[23][0-9a-fA-F]{64}$/

function readMessage(message: string): JsonObject {
  try {
    return readJsonObject(message)
  } catch (error) {
    if (error instanceof Failure) throw clientSignatureInvalid({ why: 'the message is not a JSON object' })
    throw error
  }
}

/** A usage with unknown members is refused: ignoring them could ignore a restriction that the client signed. */
function usageIn(json: JsonObject): ClientUsage {
  const { tokenId, type } = json
  if (typeof tokenId !== 'string') throw clientSignatureInvalid({ why: 'the message must have a "tokenId"' })
  const [name, ...more] = Object.keys(json).filter((key) => key !== 'tokenId' && key !== 'type')
  if (name === undefined || more.length > 0)
    throw clientSignatureInvalid({ why: 'the message must have exactly one usage' })
  const usage = json[name]
  if (isJsonObject(usage)) {
    if (type === 'USAGE_TYPE_LOGIN' && name === 'login') return loginOf(tokenId, usage)
    if (type === 'USAGE_TYPE_SIGNUP' && (name === 'signup' || name === 'signupV2'))
      return { kind: 'signup', tokenId, signup: usage }
  }
  throw clientSignatureInvalid({
    why: 'the usage in the message is unknown, or does not match its "type"',
  })
}

function loginOf(tokenId: string, login: JsonObject): ClientUsage {
  const { publicKey, ...more } = login
  if (typeof publicKey !== 'string' || Object.keys(more).length > 0)
    throw clientSignatureInvalid({ why: 'the login in the message must have a "publicKey" and nothing else' })
  return { kind: 'login', tokenId, publicKey }
}
