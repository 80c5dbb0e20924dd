import { toHex } from '../../../trusted/base/bytes.ts'
import { finished } from '../../../trusted/base/work.ts'
import { bitcoin } from '../../../trusted/chains/bitcoin/bitcoin.ts'
import { readOutputScript } from '../../../trusted/chains/bitcoin/output-script.ts'
import type { Psbt } from '../../../trusted/chains/bitcoin/psbt.ts'
import { wholePsbtSteps } from '../../../trusted/chains/bitcoin/read-bitcoin-transaction.ts'
import type { SpentOutput } from '../../../trusted/chains/bitcoin/spent-output.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import { unprefixed } from '../../../trusted/chains/unprefixed.ts'
import { amountText, feeDangers } from '../amounts.ts'
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
    const claimed = fact(CLAIMED, String(spent.filter(isClaimed).length))
    return { seen, unseen: [...inputs, claimed, ...mapFacts(psbt)] }
  },
  say: (seen, signWith, unseen) =>
    transactionWords(
      objectIn(seen, 'tx'),
      signWith,
      // Two requests can each be false about the input of the other (docs/decisions/bitcoin-transactions.md).
      unseen.some(({ label, value }) => label === CLAIMED && Number(value) > 1) ? [CLAIMED_FEE] : [],
    ),
}

/**
 * Whether no signature but that of the input itself covers the amount, and no whole transaction proves it. Signatures
 * of Taproot cover the amounts of all inputs.
 */
function isClaimed({ hasTransaction, script }: SpentOutput): boolean {
  return !hasTransaction && readOutputScript(script)?.type !== 'P2TR'
}

const CLAIMED = 'bitcoin.claimed_amounts'
const CLAIMED_FEE = 'The fee is only claimed: two false requests can together pay any fee.'

/** All further fields of the PSBT, unchanged. */
function mapFacts({ global, inputs, outputs }: Psbt): readonly Fact[] {
  return Object.entries({ global: [global], inputs, outputs }).flatMap(([name, maps]) =>
    maps.flatMap((map, index) =>
      map.map(({ key, value }) => fact(`psbt.${name}[${index}].${toHex(key)}`, toHex(value))),
    ),
  )
}

const BTC = { symbol: 'BTC', decimals: 8, smallest: 'satoshis', feeOfNote: 1_000_000n }

function transactionWords(tx: SeenFields, signWith: string, claimDangers: readonly string[]): Reading {
  const outputs = objectsIn(tx, 'outputs').map((output) => ({
    to: textIn(output, 'address'),
    amount: amountText(numberIn(output, 'value') ?? 0n, BTC),
  }))
  const fee = numberIn(tx, 'fee')
  const isWhole = Array.isArray(tx['inputs']) && Array.isArray(tx['outputs'])
  const paid = outputs.map(({ to, amount }) =>
    to === signWith ? `Send ${amount} back to ${to} itself.` : `Send ${amount} to ${to}.`,
  )
  const feeText = fee === undefined ? 'cannot be known' : amountText(fee, BTC)
  return {
    sentence: `On Bitcoin: ${isWhole ? several(paid) : 'Sign a part of a transaction.'} The fee ${fee === undefined ? '' : 'is '}${feeText}.`,
    facts: [
      fact('Chain', 'Bitcoin'),
      ...outputs.flatMap(({ to, amount }) => [
        fact('Amount', amount),
        fact('Destination', to, { nameable: to }),
      ]),
      fact('Fee', feeText, fee === undefined ? { tone: 'unknowable' } : {}),
      fact('Signed with', signWith, { nameable: signWith }),
    ],
    dangers: [
      ...feeDangers(fee ?? 0n, BTC),
      ...claimDangers,
      ...(outputs.some(({ to }) => !MAIN.test(to))
        ? ['The bytes name no network: these may be real coins.']
        : []),
    ],
    unknowable: [
      ...(isWhole ? [] : ['The payments of the transaction cannot be known.']),
      ...(fee === undefined ? ['The fee cannot be known.'] : []),
    ],
  }
}

/** The beginnings of addresses on the main network. Which network is shown follows from the name of the key alone. */
const MAIN = /^(bc1|[13])/
