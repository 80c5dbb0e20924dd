import { aptos } from '../../../trusted/chains/aptos/aptos.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import { amountText, feeDangers } from '../amounts.ts'
import { fact, type Reading } from '../fact.ts'
import { numberIn, objectIn, objectsIn, textIn } from '../seen-facts.ts'
import { several } from '../several.ts'
import type { ChainWords } from './chain-words.ts'

export const aptosWords: ChainWords = {
  chain: aptos,
  say: (seen, signWith) => transactionWords(objectIn(seen, 'tx'), signWith),
}

const APT = { symbol: 'APT', decimals: 8, smallest: 'octas', feeOfNote: 20_000_000_000n }
const COIN = '0x1::aptos_coin::AptosCoin'
const NETWORKS: ReadonlyMap<bigint, string> = new Map([
  [1n, 'Aptos'],
  [2n, 'Aptos, a test network'],
])

function transactionWords(tx: SeenFields, signWith: string): Reading {
  const chainId = numberIn(tx, 'chain_id') ?? 0n
  const chain = `${NETWORKS.get(chainId) ?? 'Aptos'} (chain ${chainId})`
  const payments = objectsIn(tx, 'transfers').map((each) => ({
    to: textIn(each, 'to'),
    text: paidText(each),
  }))
  const feeMax = (numberIn(tx, 'max_gas_amount') ?? 0n) * (numberIn(tx, 'gas_unit_price') ?? 0n)
  const fee = amountText(feeMax, APT)
  const [type, name] = [textIn(tx, 'payload_type'), textIn(tx, 'function')]
  const isPayment = payments.length > 0
  const done = isPayment
    ? several(payments.map(({ to, text }) => `Send ${text} to ${to}.`))
    : type === 'ENTRY_FUNCTION'
      ? `Call ${name}.`
      : `Run ${type === 'SCRIPT' ? 'a script' : 'the outcome of a vote on the chain'}.`
  const payer = textIn(tx, 'fee_payer')
  const multisig = textIn(tx, 'multisig_address')
  return {
    sentence: `On ${chain}${multisig === '' ? '' : `, for the multisig account ${multisig}`}: ${done} Fees are at most ${fee}${payer === '' ? '' : `, paid by ${payer}`}.`,
    facts: [
      fact('Chain', chain),
      ...payments.flatMap(({ to, text }) => [
        fact('Amount', text),
        fact('Destination', to, { nameable: to }),
      ]),
      fact('Fees at most', fee),
      fact('Signed with', signWith, { nameable: signWith }),
    ],
    dangers: feeDangers(feeMax, APT),
    unknowable: isPayment
      ? []
      : [`The effect of ${name === '' ? 'the call' : name} with its arguments cannot be read here.`],
  }
}

function paidText(transfer: SeenFields): string {
  const [amount, asset] = [numberIn(transfer, 'amount') ?? 0n, textIn(transfer, 'asset')]
  return asset === COIN ? amountText(amount, APT) : `${amount} smallest units of ${asset}`
}
