import { finished } from '../../src/trusted/base/work.ts'
import { parseTypedData } from '../../src/trusted/chains/ethereum/eip712.ts'
import { typedDataDigestSteps } from '../../src/trusted/chains/ethereum/eip712-digest.ts'

/** What a key signs of typed data (EIP-712), 32 bytes. @throws Failure for what is no typed data */
export function typedDataDigest(payload: string): Uint8Array {
  return finished(typedDataDigestSteps(parseTypedData(payload)))
}
