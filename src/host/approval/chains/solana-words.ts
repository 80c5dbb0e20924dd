import { fromHex } from '../../../trusted/base/bytes.ts'
import { finished } from '../../../trusted/base/work.ts'
import { ADDRESS_TABLE_LOOKUP } from '../../../trusted/chains/solana/accounts.ts'
import { decodeMessage, type Message } from '../../../trusted/chains/solana/message.ts'
import { solana } from '../../../trusted/chains/solana/solana.ts'
import { SYSTEM_PROGRAM } from '../../../trusted/chains/solana/system-transfers.ts'
import { TOKEN_PROGRAMS } from '../../../trusted/chains/solana/token-transfers.ts'
import { splitTransaction } from '../../../trusted/chains/solana/wire-message.ts'
import { toHex } from '../../../trusted/base/bytes.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import { unprefixed } from '../../../trusted/chains/unprefixed.ts'
import { amountText, feeDangers } from '../amounts.ts'
import { type Fact, fact, type Reading } from '../fact.ts'
import { memosIn } from '../memo.ts'
import { numberIn, objectIn, objectsIn, textIn } from '../seen-facts.ts'
import { several } from '../several.ts'
import type { ChainWords } from './chain-words.ts'
import { tokenUnit } from './known-tokens.ts'

export const solanaWords: ChainWords = {
  chain: solana,
  read: (hex) => {
    const wire = fromHex(unprefixed(hex)) ?? new Uint8Array()
    const { slotsAt, slots, message } = splitTransaction(wire)
    const decoded = decodeMessage(message)
    // Any of the required signers is suitable: the seen fields do not depend on the signer.
    const publicKey = toHex(decoded.accountKeys[0] ?? new Uint8Array(32))
    const signer = { curve: solana.curve, publicKey, signWith: '', interfaces: [] }
    const { seen } = finished(solana.transaction.read(hex, signer))
    const signatures = fact('solana.signatures', toHex(wire.subarray(slotsAt, slotsAt + 64 * slots)))
    return { seen, unseen: [...headerFacts(decoded), signatures] }
  },
  unseenInBytes: (bytes) => headerFacts(decodeMessage(bytes)),
  say: (seen, signWith, header) => transactionWords(objectIn(seen, 'tx'), signWith, signaturesIn(header)),
}

/**
 * The required signers, and the read-only accounts: they are signed too, and shown to policies only as far as they are
 * used.
 */
function headerFacts({ version, requiredSignatures, readonlySigned, readonlyUnsigned }: Message) {
  return [
    fact('solana.version', String(version)),
    fact(REQUIRED_SIGNATURES, String(requiredSignatures)),
    fact('solana.readonly_signed', String(readonlySigned)),
    fact('solana.readonly_unsigned', String(readonlyUnsigned)),
  ]
}

/** Each of them is paid for, even if no instruction names its account. */
function signaturesIn(header: readonly Fact[]): bigint {
  return BigInt(header.find(({ label }) => label === REQUIRED_SIGNATURES)?.value ?? 1)
}

const REQUIRED_SIGNATURES = 'solana.required_signatures'
const SOL = { symbol: 'SOL', decimals: 9, smallest: 'lamports', feeOfNote: 5_000_000_000n }

function transactionWords(tx: SeenFields, signWith: string, signatures: bigint): Reading {
  const instructions = objectsIn(tx, 'instructions')
  const feeMax = feeOf(instructions, signatures)
  const fee = amountText(feeMax, SOL)
  const payments = [
    ...objectsIn(tx, 'transfers').map((each) => ({
      ...ends(each),
      text: amountText(numberIn(each, 'amount') ?? 0n, SOL),
    })),
    ...objectsIn(tx, 'spl_transfers').map((each) => ({ ...ends(each), text: tokensText(each) })),
  ]
  const others = instructions.filter((each) => !isRead(each))
  const memos = instructions
    .filter((each) => MEMOS.includes(textIn(each, 'program_key')))
    .flatMap((each) => memosIn(textIn(each, 'instruction_data_hex')))
  const says = [
    ...payments.map(({ to, from, text }) => `Send ${text} from ${from} to ${to}.`),
    ...others.map((each) => `Call the program ${textIn(each, 'program_key')}, which cannot be read here.`),
    ...memos.map(({ sentence }) => sentence),
  ]
  return {
    sentence: `On Solana: ${says.length === 0 ? 'Do nothing.' : several(says)} Fees are about ${fee} at most.`,
    facts: [
      fact('Chain', 'Solana (which of its networks, the recent blockhash decides)'),
      ...payments.flatMap(({ to, text, isHidden }): readonly Fact[] => [
        fact('Amount', text),
        fact('Destination', to, isHidden ? { tone: 'unknowable' } : { nameable: to }),
      ]),
      ...memos.map((memo) => memo.fact),
      fact('Fees at most', fee),
      fact('Signed with', signWith, { nameable: signWith }),
    ],
    dangers: [...feeDangers(feeMax, SOL), ...others.flatMap(dangersOf)],
    unknowable: [
      ...payments.flatMap(({ text, isHidden }) =>
        isHidden
          ? [
              `The payment of ${text} names an account by its place in a lookup table: the bytes do not contain its address.`,
            ]
          : [],
      ),
      ...others.map((each) => {
        const data = textIn(each, 'instruction_data_hex')
        return `The effect of the program ${textIn(each, 'program_key')} with ${data.length / 2} bytes cannot be read: it may move any of the accounts that it is given.`
      }),
    ],
  }
}

type Ends = { readonly from: string; readonly to: string; readonly isHidden: boolean }

function ends(transfer: SeenFields): Ends {
  const [from, to, mint] = ['from', 'to', 'token_mint'].map((name) => textIn(transfer, name))
  return {
    from: accountText(from),
    to: accountText(to),
    isHidden: [from, to, mint].includes(ADDRESS_TABLE_LOOKUP),
  }
}

function accountText(address = ''): string {
  return address === ADDRESS_TABLE_LOOKUP ? 'an account that the bytes do not name' : address
}

function tokensText(transfer: SeenFields): string {
  const [amount, mint] = [numberIn(transfer, 'amount') ?? 0n, textIn(transfer, 'token_mint')]
  const unit = tokenUnit('solana', mint)
  if (unit !== undefined) return `${amountText(amount, unit)} of the token ${mint}`
  const isNamed = mint !== '' && mint !== ADDRESS_TABLE_LOOKUP
  return `${amount} smallest units of ${isNamed ? `the token ${mint}` : 'a token that the bytes do not name'}`
}

/** Transfers, the bounds on fees, and memos. */
function isRead(instruction: SeenFields): boolean {
  const [program, data] = [textIn(instruction, 'program_key'), textIn(instruction, 'instruction_data_hex')]
  if (program === COMPUTE_BUDGET) return /^(01|04)[0-9a-f]{8}$|^02[0-9a-f]{8}$|^03[0-9a-f]{16}$/.test(data)
  if (MEMOS.includes(program)) return true
  if (program === SYSTEM_PROGRAM) return /^(02|0b)000000/.test(data)
  return TOKEN_PROGRAMS.includes(program) && /^(03|0c|1a01)/.test(data)
}

function dangersOf(instruction: SeenFields): readonly string[] {
  const [program, data] = [textIn(instruction, 'program_key'), textIn(instruction, 'instruction_data_hex')]
  if (!TOKEN_PROGRAMS.includes(program)) return []
  const accounts = objectsIn(instruction, 'accounts').map((account) => textIn(account, 'account_key'))
  if (/^(04|0d)/.test(data))
    return [`It lets another account take tokens out of ${accounts[0] ?? 'an account'} (Approve).`]
  return data.startsWith('06')
    ? [`It hands the rights over ${accounts[0] ?? 'an account'} to another holder (SetAuthority).`]
    : []
}

/** 5,000 lamports for each signature, plus the price of a compute unit times the maximum number of units. */
function feeOf(instructions: readonly SeenFields[], signatures: bigint): bigint {
  const budget = instructions
    .filter((each) => textIn(each, 'program_key') === COMPUTE_BUDGET)
    .map((each) => fromHex(textIn(each, 'instruction_data_hex')) ?? new Uint8Array())
  const numberAfter = (first: number) => {
    const data = budget.find((bytes) => bytes[0] === first)
    return data && BigInt(`0x${toHex(data.subarray(1).toReversed()) || '0'}`)
  }
  const [price, units] = [numberAfter(3) ?? 0n, numberAfter(2) ?? UNITS_MAX]
  return 5_000n * signatures + (price * units + 999_999n) / 1_000_000n
}

const UNITS_MAX = 1_400_000n
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const MEMOS: readonly string[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]
