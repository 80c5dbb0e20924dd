import { Failure } from '../../base/failure.ts'
import { invalidTransaction } from '../failures.ts'
import type { SeenFields } from '../transaction.ts'
import { isLikeTron, isLooselyTron, seeTronTransaction } from './read-tron-transaction.ts'

/**
 * The facts of raw bytes that are `raw_data`. Bytes that a node does not accept as a transaction are signed under the
 * rules for raw bytes, even where they look like one.
 *
 * @throws Failure `invalidTransaction` for bytes that a node accepts in an encoding that is refused here
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
