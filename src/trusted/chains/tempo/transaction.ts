import { keccak_256 } from '@noble/hashes/sha3.js'
import { present } from '../../base/assert.ts'
import { concat, fromHex, toHex } from '../../base/bytes.ts'
import { caseless } from '../../base/caseless.ts'
import { costs } from '../../base/costs.ts'
import { finished, type Steps } from '../../base/work.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import { encodeRlp } from '../ethereum/rlp.ts'
import { ethereumSender } from '../ethereum/transaction.ts'
import { transactionBytes } from '../ethereum/transaction-bytes.ts'
import { checksummed } from '../../crypto/eip55.ts'
import type { ReadTransaction, SeenFields, TransactionSigner } from '../transaction.ts'
import { readUnsignedTempo, TEMPO_TYPE, type TempoCall, type UnsignedTempo } from './unsigned-transaction.ts'

/**
 * Reads an unsigned transaction of Tempo: 76 and canonical RLP. Fields that policies cannot see are refused.
 *
 * @param hex  hexadecimal digits of either case, with or without `0x`
 * @returns    one digest to sign, the Keccak-256 of these bytes; signed, the transaction with r ‖ s ‖ 1b or 1c at its
 *             end
 * @throws     Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction`,
 *             `wrongCurveForTransaction`
 */
export function readTempoTransaction(hex: string, signer: TransactionSigner): ReadTransaction {
  return finished(tempoTransactionSteps(hex, signer))
}

/** The same in steps. */
export function* tempoTransactionSteps(hex: string, signer: TransactionSigner): Steps<ReadTransaction> {
  const bytes = transactionBytes(hex)
  const transaction = readUnsignedTempo(bytes)
  return {
    seen: { tempo: { tx: yield* seenTempo(transaction, ethereumSender(signer, 'Tempo')) } },
    toSign: [{ bytes: keccak_256(bytes), scheme: 'curve' }],
    signed: ([signature]) => toHex(signedBytes(transaction, present(signature, 'one signature'))),
  }
}

/** `tempo.tx` of the policy language. */
function* seenTempo(transaction: UnsignedTempo, from: string): Steps<SeenFields> {
  const { feeToken } = transaction
  const calls: SeenFields[] = []
  for (const call of transaction.calls) {
    yield costs.transactionInput
    calls.push(seenCall(call))
  }
  return {
    chain_id: transaction.chainId,
    from: caseless(from),
    nonce: transaction.nonce,
    gas_limit: transaction.gasLimit,
    max_fee_per_gas: transaction.maxFeePerGas,
    max_priority_fee_per_gas: transaction.maxPriorityFeePerGas,
    fee_token: caseless(feeToken === undefined ? '' : checksummed(feeToken)),
    valid_before: transaction.validBefore,
    valid_after: transaction.validAfter,
    calls,
  }
}

function seenCall({ to, input }: TempoCall): SeenFields {
  return {
    to: caseless(to === undefined ? '' : checksummed(to)),
    input: caseless(`0x${toHex(input)}`),
    function_signature: `0x${toHex(input.subarray(0, 4))}`,
  }
}

function signedBytes({ fields }: UnsignedTempo, { r, s, v }: ResourceSignature): Uint8Array {
  const signature = present(fromHex(`${r}${s}${v === '01' ? '1c' : '1b'}`), 'a signature is hexadecimal')
  return concat(Uint8Array.of(TEMPO_TYPE), encodeRlp([...fields, signature]))
}
