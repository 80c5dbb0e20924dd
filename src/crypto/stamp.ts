import { type ApiKeyStamp, readApiKeyStamp } from './stamp-api-key.ts'
import {
  apiKeySignatureNotVerified,
  moreThanOneStamp,
  stampMissing,
  webauthnSignatureNotVerified,
} from './stamp-failures.ts'
import { readWebauthnStamp, type WebauthnStamp } from './stamp-webauthn.ts'
import type { Failure } from '../base/failure.ts'

/** Who says that a request is theirs, and how. Nothing in it is believed before `verifyStamp` says so. */
export type Stamp = ApiKeyStamp | WebauthnStamp

/** The two headers as the HTTP parser gave them; a header that was not sent is undefined, and not an empty text. */
export type StampHeaders = {
  readonly xStamp?: string | undefined
  readonly xStampWebauthn?: string | undefined
}

/**
 * The one stamp of a request. With two, a service and a proxy before it could each believe a different one.
 *
 * @throws  Failure of code 16: `stampMissing`, `moreThanOneStamp`, or what `readApiKeyStamp` and `readWebauthnStamp` throw
 */
export function requireOneStamp({ xStamp, xStampWebauthn }: StampHeaders): Stamp {
  if (xStamp !== undefined && xStampWebauthn !== undefined) throw moreThanOneStamp()
  if (xStamp !== undefined) return readApiKeyStamp(xStamp)
  if (xStampWebauthn !== undefined) return readWebauthnStamp(xStampWebauthn)
  throw stampMissing()
}

/** What to throw where `verifyStamp` said no. */
export function signatureNotVerified(stamp: Stamp): Failure {
  return stamp.kind === 'apiKey' ? apiKeySignatureNotVerified() : webauthnSignatureNotVerified()
}
