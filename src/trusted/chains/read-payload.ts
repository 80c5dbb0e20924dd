import { costs } from '../base/costs.ts'
import type { Steps } from '../base/work.ts'
import type { ReadPayload } from './chain.ts'
import { applyHash } from './hash-function.ts'
import { type RawPayload, structuredPayload } from './payload.ts'
import { rawBytes } from './raw-bytes.ts'
import { seenInBytes } from './seen-payload.ts'
import type { NamedSigner } from './transaction.ts'

/**
 * The bytes to sign and the facts of a payload, read once for both.
 *
 * @throws Failure `invalidHashFunction`, `invalidPayloadEncoding`, `wrongDigestLength`; for bytes that are a
 *         transaction of a chain, the failures of its `PayloadRule`
 */
export function* readPayload(raw: RawPayload, signer: NamedSigner): Steps<ReadPayload> {
  yield raw.payload.length * costs.payloadCharacter
  const structured = structuredPayload(raw)
  if (structured !== undefined) return yield* structured.read(raw.payload)
  const { hashFunction } = raw
  const given = rawBytes(raw)
  return { bytes: applyHash(hashFunction, given), seen: yield* seenInBytes(given, hashFunction, signer) }
}
