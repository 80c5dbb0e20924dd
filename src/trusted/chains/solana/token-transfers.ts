import { asBuffer } from '../../base/bytes.ts'
import type { Account } from './accounts.ts'
import { type Instruction, malformed } from './instruction.ts'

/** Token and Token-2022, whose transfers are alike. */
export const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

/** Tokens that move from one token account to another. */
export type TokenTransfer = {
  readonly from: string
  readonly to: string
  /** In the smallest unit of the token. */
  readonly amount: bigint
  /** Of `from`, or its delegate; it may be a multisig account. */
  readonly owner: string
  /** The signers for a multisig owner. */
  readonly signers: readonly string[]
  /** Empty where the instruction does not name it. */
  readonly mint: string
}

/**
 * The transfer in an instruction of a token program: Transfer, TransferChecked or TransferCheckedWithFee. Programs
 * ignore bytes after the known fields; here such an instruction is refused, like one that is too short.
 *
 * @throws Failure `invalidTransaction`
 * @see    `TokenInstruction` of spl-token-2022 and of p-token: a number of one byte, then the fields, little-endian
 */
export function tokenTransfers({ accounts, data }: Pick<Instruction, 'accounts' | 'data'>): TokenTransfer[] {
  switch (data[0]) {
    case undefined:
      throw malformed('of a token program', 'it has no number')
    case TRANSFER:
      return [plainTransfer(accounts, fields(data, 'Transfer', 9))]
    case TRANSFER_CHECKED:
      return [transferWithMint(accounts, fields(data, 'TransferChecked', 10), 1)]
    case TRANSFER_FEE_EXTENSION:
      if (data[1] === undefined) throw malformed('of the transfer fee extension', 'it has no number')
      if (data[1] !== TRANSFER_CHECKED_WITH_FEE) return []
      return [transferWithMint(accounts, fields(data, 'TransferCheckedWithFee', 19), 2)]
    default:
      return []
  }
}

const TRANSFER = 3
const TRANSFER_CHECKED = 12
const TRANSFER_FEE_EXTENSION = 26
const TRANSFER_CHECKED_WITH_FEE = 1
export const BATCH = 255

function fields(data: Uint8Array, name: string, length: number): Buffer {
  if (data.length !== length) throw malformed(name, `its data has ${data.length} bytes, not ${length}`)
  return asBuffer(data)
}

function plainTransfer([from, to, owner, ...more]: readonly Account[], data: Buffer): TokenTransfer {
  return transfer({ from, to, owner, more }, data.readBigUInt64LE(1), '')
}

function transferWithMint(
  [from, mint, to, owner, ...more]: readonly Account[],
  data: Buffer,
  amountAt: number,
): TokenTransfer {
  return transfer({ from, to, owner, more }, data.readBigUInt64LE(amountAt), mint?.address ?? '')
}

function transfer(
  {
    from,
    to,
    owner,
    more,
  }: {
    readonly from: Account | undefined
    readonly to: Account | undefined
    readonly owner: Account | undefined
    readonly more: readonly Account[]
  },
  amount: bigint,
  mint: string,
): TokenTransfer {
  if (from === undefined || to === undefined || owner === undefined) {
    throw malformed('that transfers tokens', 'it lacks accounts')
  }
  return {
    from: from.address,
    to: to.address,
    amount,
    owner: owner.address,
    // Accounts that do not sign are for a transfer hook, or references of Solana Pay.
    signers: more.filter(({ signer }) => signer).map(({ address }) => address),
    mint,
  }
}
