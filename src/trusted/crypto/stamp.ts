import type { Failure } from '../base/failure.ts'
import { type ApiKeyStamp, readApiKeyStamp } from './stamp-api-key.ts'
import { type AttestedStamp, readAttestedStamp } from './stamp-attested.ts'
import {
  apiKeySignatureNotVerified,
  attestedSignatureNotVerified,
  moreThanOneStamp,
  stampMissing,
  webauthnSignatureNotVerified,
} from './stamp-failures.ts'
import { readWebauthnStamp, type WebauthnStamp } from './stamp-webauthn.ts'

/** A stamp by a registered credential; not trusted before `verifyStamp` accepts it. */
export type CredentialStamp = ApiKeyStamp | WebauthnStamp

/** The text of a read-only session instead of a stamp; it does not sign the body. `openReadOnlySession` reads it. */
type SessionStamp = { readonly kind: 'session'; readonly session: string }

/** The proof of the sender of a request. */
export type Stamp = CredentialStamp | AttestedStamp | SessionStamp

/** The headers as the HTTP parser gave them; an absent header is undefined, not an empty string. */
export type StampHeaders = {
  readonly xStamp?: string | undefined
  readonly xStampWebauthn?: string | undefined
  readonly xStampAttested?: string | undefined
  readonly xSession?: string | undefined
}

/**
 * The one stamp of a request. With two, the service and a proxy before it could each accept a different one.
 *
 * @throws  Failure of code 16: `stampMissing`, `moreThanOneStamp`, or the failures of `readApiKeyStamp`,
 *          `readWebauthnStamp` and `readAttestedStamp`
 */
export function requireOneStamp(headers: StampHeaders): Stamp {
  const { xStamp, xStampWebauthn, xStampAttested, xSession } = headers
  const sent = STAMP_HEADERS.filter(([field]) => headers[field] !== undefined)
  if (sent.length > 1) throw moreThanOneStamp({ headers: sent.map(([, name]) => name) })
  if (xStamp !== undefined) return readApiKeyStamp(xStamp)
  if (xStampWebauthn !== undefined) return readWebauthnStamp(xStampWebauthn)
  if (xStampAttested !== undefined) return readAttestedStamp(xStampAttested)
  if (xSession !== undefined) return { kind: 'session', session: xSession }
  throw stampMissing()
}

/** The failure to throw where `verifyStamp` or `verifyAttestedSignature` returned false. */
export function signatureNotVerified(stamp: CredentialStamp | AttestedStamp): Failure {
  switch (stamp.kind) {
    case 'apiKey':
      return apiKeySignatureNotVerified()
    case 'webauthn':
      return webauthnSignatureNotVerified()
    case 'attested':
      return attestedSignatureNotVerified()
  }
}

const STAMP_HEADERS = [
  ['xStamp', 'X-Stamp'],
  ['xStampWebauthn', 'X-Stamp-Webauthn'],
  ['xStampAttested', 'X-Stamp-Attested'],
  ['xSession', 'X-Session'],
] as const
