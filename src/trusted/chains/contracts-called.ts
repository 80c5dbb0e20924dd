import { fromHex, toHex } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { readUnsignedTransaction } from './ethereum/unsigned-transaction.ts'
import { type RawPayload, rawBytes } from './payload.ts'
import type { TransactionType } from './read-transaction.ts'
import { decodeMessage } from './solana/message.ts'
import { messageIn } from './solana/wire-message.ts'
import { solanaAddress } from './solana-address.ts'

/**
 * The contracts and programs that a transaction calls, as far as interfaces of such are kept: addresses of Ethereum in
 * lowercase, of Solana in base58. None where it cannot be read: reading it in earnest says why.
 */
export function contractsCalled(type: TransactionType, unsignedTransaction: string): readonly string[] {
  const bytes = fromHex(unsignedTransaction.replace(/^0x/i, ''))
  if (bytes === undefined) return []
  if (type === 'TRANSACTION_TYPE_ETHEREUM') return orNone(() => ethereumContract(bytes))
  if (type === 'TRANSACTION_TYPE_SOLANA') return orNone(() => solanaPrograms(messageIn(bytes)))
  return []
}

/** The same of raw bytes that are such a transaction before they are hashed. */
export function contractsCalledIn(raw: Pick<RawPayload, 'payload' | 'encoding' | 'hashFunction'>) {
  const { encoding, hashFunction } = raw
  if (encoding !== 'PAYLOAD_ENCODING_HEXADECIMAL' && encoding !== 'PAYLOAD_ENCODING_TEXT_UTF8') return []
  if (hashFunction === 'HASH_FUNCTION_KECCAK256') return orNone(() => ethereumContract(rawBytes(raw)))
  if (hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE') return orNone(() => solanaPrograms(rawBytes(raw)))
  return []
}

function ethereumContract(bytes: Uint8Array): readonly string[] {
  const { to } = readUnsignedTransaction(bytes)
  return to === undefined ? [] : [`0x${toHex(to)}`]
}

function solanaPrograms(bytes: Uint8Array): readonly string[] {
  const { instructions, accountKeys } = decodeMessage(bytes)
  const keys = instructions.flatMap(({ programIndex }) => accountKeys[programIndex] ?? [])
  return [...new Set(keys.map(solanaAddress))]
}

function orNone(read: () => readonly string[]): readonly string[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}
