import { toHex } from '../../base/bytes.ts'
import { invalidTransaction, unreadableTransaction } from '../failures.ts'
import type { CompiledInstruction, Message } from './message.ts'

/** The largest packet that validators take: 1280 bytes of IPv6 less its headers. */
const WIRE_BYTES_MAX = 1232

/**
 * Refuses a message that validators refuse in every state of the chain, by the rules of `sanitize` in solana-message
 * and of loading accounts.
 *
 * @param length  of the message in bytes
 * @throws Failure `invalidTransaction`, or `unreadableTransaction` for one that is too long
 */
export function expectValidMessage(message: Message, length: number): void {
  // Checked first: no message of any length may have an inconsistent header.
  expectConsistentHeader(message)
  expectLength(length + signaturesLength(message.requiredSignatures))
  expectDistinctAccounts(message)
  const accounts = message.accountKeys.length + loadedCount(message)
  if (accounts > ACCOUNTS_MAX) refuse(`${accounts} accounts are more than ${ACCOUNTS_MAX}`)
  message.instructions.forEach((instruction, at) => {
    expectIndexesInRange(instruction, `instruction ${at}`, message.accountKeys.length, accounts)
  })
}

/** @throws Failure `unreadableTransaction` */
export function expectLength(bytes: number): void {
  if (bytes > WIRE_BYTES_MAX) {
    throw unreadableTransaction({
      what: `${bytes} bytes are more than the ${WIRE_BYTES_MAX} of a transaction`,
    })
  }
}

const ACCOUNTS_MAX = 256

/** The length of their array on the wire; its count is one byte, since more than 127 do not fit into a transaction. */
function signaturesLength(count: number): number {
  return 1 + 64 * count
}

function expectConsistentHeader(message: Message): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys } = message
  if (requiredSignatures === 0) refuse('no signature is required')
  if (requiredSignatures + readonlyUnsigned > accountKeys.length) {
    refuse(
      `${accountKeys.length} account keys are fewer than ${requiredSignatures} signers and ` +
        `${readonlyUnsigned} read-only others`,
    )
  }
  if (readonlySigned >= requiredSignatures) refuse('the first signer, who pays the fee, is read-only')
}

/** Validators refuse a duplicate account, in the message or from the same index of a table. */
function expectDistinctAccounts({ accountKeys, lookups }: Message): void {
  if (new Set(accountKeys.map(toHex)).size < accountKeys.length) refuse('an account key is there twice')
  const loaded = new Set<string>()
  for (const { tableKey, writableIndexes, readonlyIndexes } of lookups) {
    const table = toHex(tableKey)
    if (writableIndexes.length + readonlyIndexes.length === 0) refuse('an address table lookup has no index')
    for (const index of [...writableIndexes, ...readonlyIndexes]) {
      const place = `${table} ${index}`
      if (loaded.has(place)) refuse(`index ${index} of an address table is looked up twice`)
      loaded.add(place)
    }
  }
}

function loadedCount({ lookups }: Message): number {
  return lookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) => sum + writableIndexes.length + readonlyIndexes.length,
    0,
  )
}

function expectIndexesInRange(
  { programIndex, accountIndexes }: CompiledInstruction,
  where: string,
  keys: number,
  accounts: number,
): void {
  if (programIndex === 0) refuse(`${where} calls the account that pays the fee`)
  if (programIndex >= accounts) refuse(`${where} calls account ${programIndex} of ${accounts}`)
  if (programIndex >= keys) refuse(`${where} calls a program from an address lookup table`)
  const beyond = accountIndexes.find((index) => index >= accounts)
  if (beyond !== undefined) refuse(`${where} names account ${beyond} of ${accounts}`)
}

function refuse(what: string): never {
  throw invalidTransaction({ what })
}
