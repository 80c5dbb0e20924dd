import { keccak_256 } from '@noble/hashes/sha3.js'
import { present } from '../../base/assert.ts'
import { fromHex, toHex } from '../../base/bytes.ts'
import { caseless } from '../../base/caseless.ts'
import { finished, type Steps } from '../../base/work.ts'
import { checksummed } from '../../crypto/eip55.ts'
import { ethereumAddress } from '../ethereum-address.ts'
import { wrongCurveForTransaction } from '../failures.ts'
import {
  type ContractInterface,
  type ReadTransaction,
  type SeenFields,
  type TransactionSigner,
  UNANSWERABLE,
} from '../transaction.ts'
import { seenContractCall } from './contract-call.ts'
import { signedTransaction } from './signed-transaction.ts'
import { transactionBytes } from './transaction-bytes.ts'
import { readUnsignedTransaction, type UnsignedTransaction } from './unsigned-transaction.ts'

/**
 * Reads an unsigned transaction of Ethereum or of a chain like it, in canonical RLP
 * (docs/decisions/ethereum-transactions.md).
 *
 * @param hex  hexadecimal digits of either case, with or without `0x`
 * @returns    one digest to sign, the Keccak-256 of these bytes; signed, the transaction as nodes accept it
 * @throws     Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction`,
 *             `wrongCurveForTransaction`
 */
export function readEthereumTransaction(
  hex: string,
  signer: TransactionSigner,
  interfaces: readonly ContractInterface[],
): ReadTransaction {
  return finished(ethereumTransactionSteps(hex, signer, interfaces))
}

/** The same in steps. */
export function* ethereumTransactionSteps(
  hex: string,
  signer: TransactionSigner,
  interfaces: readonly ContractInterface[],
): Steps<ReadTransaction> {
  const bytes = transactionBytes(hex)
  const transaction = readUnsignedTransaction(bytes)
  const from = ethereumSender(signer, 'Ethereum')
  return {
    seen: { eth: { tx: yield* seenTransaction(transaction, from, interfaces) } },
    toSign: [{ bytes: keccak_256(bytes), scheme: 'curve' }],
    signed: ([signature]) => toHex(signedTransaction(transaction, present(signature, 'one signature'))),
  }
}

/**
 * The address of the signing key, in the case of EIP-55. The transaction does not contain it.
 *
 * @throws Failure `wrongCurveForTransaction`
 */
export function ethereumSender({ curve, publicKey }: TransactionSigner, chain: string): string {
  if (curve !== NEEDED) throw wrongCurveForTransaction({ chain, needed: NEEDED, curve })
  return ethereumAddress(present(fromHex(publicKey), 'a public key is hexadecimal'))
}

const NEEDED = 'CURVE_SECP256K1'

/** `eth.tx` of the policy language. Fields that the type lacks are undefined. */
function* seenTransaction(
  transaction: UnsignedTransaction,
  from: string,
  interfaces: readonly ContractInterface[],
): Steps<SeenFields> {
  const { type, to, data, gasPrice, maxPriorityFeePerGas } = transaction
  return {
    type,
    from: caseless(from),
    to: caseless(to === undefined ? '' : checksummed(to)),
    data: `0x${toHex(data)}`,
    value: transaction.value,
    gas: transaction.gas,
    gas_price: gasPrice,
    // Every chain accepts a transaction without one.
    chain_id: transaction.chainId ?? UNANSWERABLE,
    nonce: transaction.nonce,
    max_fee_per_gas: maxPriorityFeePerGas === undefined ? undefined : gasPrice,
    max_priority_fee_per_gas: maxPriorityFeePerGas,
    max_fee_per_blob_gas: transaction.maxFeePerBlobGas,
    ...(yield* seenContractCall(to, data, interfaces)),
  }
}
