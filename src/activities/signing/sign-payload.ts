import type { Opened } from '../../catalogue/objects.ts'
import { invalidHashFunction, invalidPayloadEncoding, wrongDigestLength } from '../../chains/failures.ts'
import { curves } from '../../crypto/sign-payload.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import type { PrivateKey } from '../private-keys/private-key.ts'

export const payloadFailures = [invalidPayloadEncoding, invalidHashFunction, wrongDigestLength]

/** @param bytes  the digest, or with Ed25519 the message; see `payloadBytesToSign` */
export function signPayload(key: Opened<PrivateKey>, bytes: Uint8Array): ResourceSignature {
  return curves[key.body.curve].sign(key.secret.reveal(), bytes, key.body.publicKey)
}
