import { costs } from '../base/costs.ts'
import type { Steps } from '../base/work.ts'
import type { ReadPayload } from './chain.ts'
import { payloadBytesToSign, type RawPayload, structuredPayload } from './payload.ts'
import { seenInPayloadSteps } from './seen-payload.ts'
import type { NamedSigner } from './transaction.ts'

/** What is signed of a payload and what policies see of it; a structured one is read once for both. */
export function* readPayload(raw: RawPayload, signer: NamedSigner): Steps<ReadPayload> {
  yield raw.payload.length * costs.payloadCharacter
  const structured = structuredPayload(raw)
  if (structured !== undefined) return yield* structured.read(raw.payload)
  return { bytes: payloadBytesToSign(raw), seen: yield* seenInPayloadSteps(raw, signer) }
}
