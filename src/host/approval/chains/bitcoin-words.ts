import { toHex } from '../../../trusted/base/bytes.ts'
import { finished } from '../../../trusted/base/work.ts'
import { bitcoin } from '../../../trusted/chains/bitcoin/bitcoin.ts'
import { readOutputScript } from '../../../trusted/chains/bitcoin/output-script.ts'
import type { Psbt } from '../../../trusted/chains/bitcoin/psbt.ts'
import { wholePsbtSteps } from '../../../trusted/chains/bitcoin/read-bitcoin-transaction.ts'
import type { SpentOutput } from '../../../trusted/chains/bitcoin/spent-output.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import { unprefixed } from '../../../trusted/chains/unprefixed.ts'
import { amountText } from '../amounts.ts'
import { type Fact, fact, type Reading } from '../fact.ts'
import { numberIn, objectIn, objectsIn, textIn } from '../seen-facts.ts'
import { several } from '../several.ts'
import type { ChainWords } from './chain-words.ts'

export const bitcoinWords: ChainWords = {
  chain: bitcoin,
  read: (hex, signWith) => {
    const { psbt, spent, seen } = finished(wholePsbtSteps(unprefixed(hex), signWith))
    const inputs = spent.flatMap(({ value, script }, index) => [
      fact(`bitcoin.spent[${index}].value`, String(value)),
      fact(`bitcoin.spent[${index}].script_pubkey`, toHex(script)),
    ])
    const claimed = spent.filter(isClaimed).length
    return { seen, unseen: [...inputs, fact(CLAIMED_AMOUNTS, String(claimed)), ...mapFacts(psbt)] }
  },
  say: (seen, signWith, unseen) =>
    transactionWords(objectIn(seen, 'tx'), signWith, { isFeeClaimed: restsOnClaims(unseen) }),
}

/**
 * Whether no signature but that of the input itself covers the amount, and no whole transaction proves it. Signatures of
 * Taproot cover the amounts of all inputs.
 */
function isClaimed({ hasTransaction, script }: SpentOutput): boolean {
  return !hasTransaction && readOutputScript(script)?.type !== 'P2TR'
}

/** Two requests can each be false about the input of the other (docs/decisions/bitcoin-transactions.md). */
function restsOnClaims(unseen: readonly Fact[]): boolean {
  return Number(unseen.find(({ label }) => label === CLAIMED_AMOUNTS)?.value ?? 0) > 1
}

const CLAIMED_AMOUNTS = 'bitcoin.claimed_amounts'

/** All further fields of the PSBT, unchanged. */
function mapFacts({ global, inputs, outputs }: Psbt): readonly Fact[] {
  return Object.entries({ global: [global], inputs, outputs }).flatMap(([name, maps]) =>
    maps.flatMap((map, index) =>
      map.map(({ key, value }) => fact(`psbt.${name}[${index}].${toHex(key)}`, toHex(value))),
    ),
  )
}

const BTC = { symbol: 'BTC', decimals: 8, smallest: 'satoshis' }

function transactionWords(
  tx: SeenFields,
  signWith: string,
  { isFeeClaimed }: { readonly isFeeClaimed: boolean },
): Reading {
  const outputs = objectsIn(tx, 'outputs').map((output) => ({
    to: textIn(output, 'address'),
    amount: amountText(numberIn(output, 'value') ?? 0n, BTC),
  }))
  const fee = numberIn(tx, 'fee')
  const isWhole = Array.isArray(tx['inputs']) && Array.isArray(tx['outputs'])
  const paid = outputs.map(({ to, amount }) =>
    to === signWith ? `Send ${amount} back to ${to} itself.` : `Send ${amount} to ${to}.`,
  )
  const condition = isFeeClaimed ? ', if the amounts in the request are true' : ''
  const fees =
    fee === undefined ? 'The fee cannot be known.' : `The fee is ${amountText(fee, BTC)}${condition}.`
  return {
    sentence: `On Bitcoin: ${isWhole ? several(paid) : 'Sign a part of a transaction.'} ${fees}`,
    facts: [
      fact('Chain', 'Bitcoin'),
      ...outputs.flatMap(({ to, amount }) => [
        fact('Amount', amount),
        fact('Destination', to, { nameable: to }),
      ]),
      fee === undefined
        ? fact('Fee', 'cannot be known', { tone: 'unknowable' })
        : fact('Fee', amountText(fee, BTC)),
      fact('Signed with', signWith, { nameable: signWith }),
    ],
    dangers: [
      ...(fee !== undefined && fee >= FEE_OF_NOTE ? ['The fee is 0.01 BTC or more.'] : []),
      ...(isFeeClaimed ? [CLAIMED_FEE] : []),
    ],
    unknowable: [
      ...(isWhole ? [] : ['The bytes show a part of a transaction: its payments cannot be known.']),
      ...(fee === undefined ? ['The bytes do not show the fees.'] : []),
    ],
  }
}

const FEE_OF_NOTE = 1_000_000n
const CLAIMED_FEE =
  'The fee rests on what the request says of the amounts of its inputs: two requests with false amounts can together pay any fee.'
