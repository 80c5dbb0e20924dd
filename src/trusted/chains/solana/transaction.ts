import { present } from '../../base/assert.ts'
import { fromHex } from '../../base/bytes.ts'
import { finished, type Steps } from '../../base/work.ts'
import { wrongCurveForTransaction } from '../failures.ts'
import type { ContractInterface, ReadTransaction, TransactionSigner } from '../transaction.ts'
import { seenTransaction } from './seen-transaction.ts'
import { readSignableTransaction } from './signable-transaction.ts'

/**
 * Reads a whole transaction of Solana as it goes over the wire, with a slot of 64 bytes for each signature: empty
 * (zeros) or filled (docs/decisions/solana-transactions.md).
 *
 * @param hex  hexadecimal digits of either case, with or without `0x`
 * @returns    the message to sign; signed, the transaction with the slot of the signer filled and all others as they
 *             were
 * @throws     Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction`,
 *             `wrongCurveForTransaction`
 */
export function readSolanaTransaction(
  hex: string,
  signer: TransactionSigner,
  interfaces: readonly ContractInterface[],
): ReadTransaction {
  return finished(solanaTransactionSteps(hex, signer, interfaces))
}

/** The same in steps. */
export function* solanaTransactionSteps(
  hex: string,
  signer: TransactionSigner,
  interfaces: readonly ContractInterface[],
): Steps<ReadTransaction> {
  const publicKey = ed25519Key(signer)
  const { message, bytes, signed } = readSignableTransaction(hex, publicKey)
  return {
    seen: { solana: { tx: yield* seenTransaction(message, interfaces) } },
    toSign: [{ bytes, scheme: 'curve' }],
    signed: ([signature]) => signed(present(signature, 'one signature')),
  }
}

const NEEDED = 'CURVE_ED25519'

function ed25519Key({ curve, publicKey }: TransactionSigner): Uint8Array {
  if (curve !== NEEDED) throw wrongCurveForTransaction({ chain: 'Solana', needed: NEEDED, curve })
  return present(fromHex(publicKey), 'a public key is hexadecimal')
}
