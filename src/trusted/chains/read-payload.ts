import { costs } from '../base/costs.ts'
import type { Steps } from '../base/work.ts'
import { typedDataDigestSteps } from './ethereum/eip712-digest.ts'
import { payloadBytesToSign, type RawPayload, typedDataOf } from './payload.ts'
import { type PayloadSigner, seenInPayloadSteps, seenInTypedData } from './seen-payload.ts'
import type { SeenFields } from './transaction.ts'

export type ReadPayload = {
  /** As `payloadBytesToSign` has them. */
  readonly bytes: Uint8Array
  /** As `seenInPayload` has it. */
  readonly seen: SeenFields | undefined
}

/** What is signed of a payload and what policies see of it; typed data is read once for both. */
export function* readPayload(raw: RawPayload, signer: PayloadSigner): Steps<ReadPayload> {
  yield raw.payload.length * costs.payloadCharacter
  if (raw.encoding !== 'PAYLOAD_ENCODING_EIP712')
    return { bytes: payloadBytesToSign(raw), seen: yield* seenInPayloadSteps(raw, signer) }
  const data = typedDataOf(raw)
  return { bytes: yield* typedDataDigestSteps(data), seen: seenInTypedData(data) }
}
