import { amountOf, amountText } from './amounts.ts'
import { type Decoded, textOf } from './decoded.ts'

/** What the fees of a transaction can take from its account beside what it sends, as far as its bytes say it. */
export function feeSentences({ fields, lists }: Decoded): readonly string[] {
  const fees = FEES.flatMap(({ says, of, times }) => {
    const [one, other] = [unitsOf(fields[of]), times === undefined ? 1n : unitsOf(fields[times])]
    return one === undefined || other === undefined
      ? []
      : [`${says} ${amountText(amountOf(of, one * other))}.`]
  })
  const priority = priorityFee(lists['solana.tx.instructions'] ?? [])
  return [
    ...fees,
    ...(priority === undefined
      ? []
      : [`Its priority fee is at most ${amountText(amountOf('solana.tx.transfers', priority))}.`]),
    ...(fields['eth.tx.max_fee_per_blob_gas'] === undefined ? [] : ['The fees of its blobs come on top.']),
  ]
}

/** Tempo counts its fees in a token, and Aptos in octas: a hundred millionth of its coin. */
const FEES = [
  { says: 'Its fees are at most', of: 'eth.tx.gas_price', times: 'eth.tx.gas' },
  { says: 'Its fee is', of: 'bitcoin.tx.fee', times: undefined },
  { says: 'The fees of its contracts are at most', of: 'tron.tx.fee_limit', times: undefined },
  {
    says: 'Its fees, as gas times price, are at most',
    of: 'tempo.tx.max_fee_per_gas',
    times: 'tempo.tx.gas_limit',
  },
  { says: 'Its fees in octas are at most', of: 'aptos.tx.gas_unit_price', times: 'aptos.tx.max_gas_amount' },
] as const

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const UNITS_MAX = 1_400_000n

/** SetComputeUnitPrice times SetComputeUnitLimit, where there is a price: it is in millionths of a lamport. */
function priorityFee(instructions: Decoded['lists'][string]): bigint | undefined {
  const numberAfter = (first: string): bigint | undefined => {
    const budgets = instructions.filter((item) => textOf(item['program_key']) === COMPUTE_BUDGET)
    const found = budgets
      .map((item) => textOf(item['instruction_data_hex']))
      .find((data) => data.startsWith(first))
    return found === undefined
      ? undefined
      : BigInt(`0x${Buffer.from(found.slice(first.length), 'hex').reverse().toString('hex') || '0'}`)
  }
  const [price, units] = [numberAfter('03'), numberAfter('02') ?? UNITS_MAX]
  return price === undefined ? undefined : (price * units + 999_999n) / 1_000_000n
}

function unitsOf(shown: Decoded['fields'][string] | undefined): bigint | undefined {
  return typeof shown === 'object' && 'units' in shown ? BigInt(shown.units.split(' ')[0] ?? '') : undefined
}
