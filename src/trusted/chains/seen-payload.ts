import { finished, type Steps } from '../base/work.ts'
import type { HashFunction } from './hash-function.ts'
import { type RawPayload, structuredEncoding } from './payload.ts'
import { rawBytes } from './raw-bytes.ts'
import { payloadRules } from './payload-rules.ts'
import type { NamedSigner, SeenFields } from './transaction.ts'

/**
 * The facts of a raw payload. Bytes that a chain would accept as a transaction once they are hashed and signed are
 * shown as that transaction, so that a policy about contents holds for raw payloads too. A digest shows nothing.
 *
 * @returns  undefined where there are no facts
 */
export function seenInPayload(raw: RawPayload, signer: NamedSigner): SeenFields | undefined {
  const structured = structuredEncoding(raw.encoding)
  if (structured !== undefined) return finished(structured.read(raw.payload)).seen
  return finished(seenInBytes(rawBytes(raw), raw.hashFunction, signer))
}

/** The same in steps, for bytes before hashing. */
export function* seenInBytes(
  bytes: Uint8Array,
  hashFunction: HashFunction,
  signer: NamedSigner,
): Steps<SeenFields | undefined> {
  for (const rule of payloadRules(hashFunction)) {
    if (rule.curve !== signer.curve) continue
    const seen = yield* rule.see(bytes, signer)
    if (seen !== undefined) return seen
  }
  return undefined
}
