import { sha3_256 } from '@noble/hashes/sha3.js'
import { equalBytes, toHex, utf8 } from '../../base/bytes.ts'
import { caseless } from '../../base/caseless.ts'
import { Failure } from '../../base/failure.ts'
import type { Steps } from '../../base/work.ts'
import { unsupportedTransactionType } from '../failures.ts'
import { type SeenFields, UNANSWERABLE } from '../transaction.ts'
import { BcsReader } from './bcs-reader.ts'
import { shownAddress } from './move-address.ts'
import { type RawTransaction, readRawTransaction } from './raw-transaction.ts'
import { transfersOf } from './transfers.ts'

/**
 * The facts of raw bytes that are the signing message of a transaction: the SHA3-256 of its domain and the transaction
 * in BCS. Other bytes do not begin like this by chance, so such bytes are read to the end or refused.
 *
 * @returns undefined for other bytes, and for a kind of payload that is not known here
 * @throws  Failure `unreadableTransaction` or `invalidTransaction`
 * @see     "Signing message" in the documentation of Aptos; AIP-39 for payers of gas
 */
export function* aptosMessageSteps(bytes: Uint8Array): Steps<SeenFields | undefined> {
  const readWhole = messageReader(bytes)
  if (readWhole === undefined) return undefined
  try {
    const message = readWhole()
    return { aptos: { tx: yield* seenTransaction(message) } }
  } catch (error) {
    if (error instanceof Failure && error.kind === unsupportedTransactionType.kind) return undefined
    throw error
  }
}

type Message = RawTransaction & {
  readonly secondarySigners: readonly Uint8Array[]
  readonly feePayer: Uint8Array | undefined
}

function messageReader(bytes: Uint8Array): (() => Message) | undefined {
  const start = bytes.subarray(0, DOMAIN_LENGTH)
  const reader = new BcsReader(bytes, DOMAIN_LENGTH)
  if (equalBytes(start, ALONE)) return () => readAlone(reader)
  return equalBytes(start, WITH_DATA) ? () => readWithData(reader) : undefined
}

function readAlone(reader: BcsReader): Message {
  const transaction = readRawTransaction(reader)
  reader.expectEnd()
  return { ...transaction, secondarySigners: [], feePayer: undefined }
}

function readWithData(reader: BcsReader): Message {
  const variant = reader.uleb128('the data of the transaction')
  if (variant > FEE_PAYER) throw unsupportedTransactionType({ what: `data of number ${variant}` })
  const transaction = readRawTransaction(reader)
  const secondarySigners = reader.list('secondary signers', SIGNERS_MAX, () =>
    reader.address('a secondary signer'),
  )
  const feePayer = variant === FEE_PAYER ? reader.address('the fee payer') : undefined
  reader.expectEnd()
  return { ...transaction, secondarySigners, feePayer }
}

/** `aptos.tx` of the policy language. */
function* seenTransaction(message: Message): Steps<SeenFields> {
  const { sender, executable, multisigAddress, feePayer } = message
  return {
    sender: caseless(shownAddress(sender)),
    sequence_number: message.sequenceNumber,
    max_gas_amount: message.maxGasAmount,
    gas_unit_price: message.gasUnitPrice,
    expiration_timestamp_secs: message.expirationTimestampSecs,
    chain_id: BigInt(message.chainId),
    ...(yield* seenExecutable(message)),
    code: executable.kind === 'script' ? `0x${toHex(executable.code)}` : '',
    multisig_address: caseless(multisigAddress === undefined ? '' : shownAddress(multisigAddress)),
    secondary_signers: message.secondarySigners.map((address) => caseless(shownAddress(address))),
    fee_payer: caseless(feePayer === undefined ? '' : shownAddress(feePayer)),
    replay_protection_nonce: message.replayProtectionNonce,
  }
}

/**
 * A script may call any function and pay any account, and an approved payload is on chain only: rules that name such
 * fields fail.
 */
function* seenExecutable({ executable, sender, multisigAddress }: Message): Steps<SeenFields> {
  if (executable.kind === 'voted') {
    const unknown = UNANSWERABLE
    return {
      payload_type: 'VOTED',
      function: unknown,
      type_arguments: unknown,
      arguments: unknown,
      transfers: unknown,
    }
  }
  const given = {
    type_arguments: executable.typeArguments,
    arguments: executable.args.map((argument) => `0x${toHex(argument)}`),
  }
  if (executable.kind === 'script') {
    return { payload_type: 'SCRIPT', function: UNANSWERABLE, ...given, transfers: UNANSWERABLE }
  }
  const transfers = yield* transfersOf(executable, multisigAddress ?? sender)
  return { payload_type: 'ENTRY_FUNCTION', function: executable.name, ...given, transfers }
}

const DOMAIN_LENGTH = 32
const ALONE = sha3_256(utf8('APTOS::RawTransaction'))
const WITH_DATA = sha3_256(utf8('APTOS::RawTransactionWithData'))
/** The first 32 bytes of a signing message. */
export const APTOS_DOMAINS: readonly Uint8Array[] = [ALONE, WITH_DATA]
const FEE_PAYER = 1
/** The highest number of signatures that the chain allows. */
const SIGNERS_MAX = 32
