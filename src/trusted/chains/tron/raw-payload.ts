import { Failure } from '../../base/failure.ts'
import { invalidTransaction } from '../failures.ts'
import type { SeenFields } from '../transaction.ts'
import { isLikeTron, isLooselyTron, seeTronTransaction } from './read-tron-transaction.ts'

/**
 * What policies see of raw bytes that are `raw_data`. What is no transaction to a node signs under the rules for raw bytes,
 * however much of one it looks like.
 *
 * @throws Failure `invalidTransaction` for what a node takes, and what is not in the encoding that is read here
 */
export function seeRawTron(bytes: Uint8Array): SeenFields | undefined {
  try {
    if (isLikeTron(bytes)) return seeTronTransaction(bytes)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.kind === invalidTransaction.kind && isLooselyTron(bytes)) throw error
  }
  if (isLooselyTron(bytes)) throw invalidTransaction({ what: 'raw_data is not in its canonical encoding' })
  return undefined
}
