import { fromHex } from '../../../trusted/base/bytes.ts'
import { finished } from '../../../trusted/base/work.ts'
import { tempo } from '../../../trusted/chains/tempo/tempo.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import { unprefixed } from '../../../trusted/chains/unprefixed.ts'
import { fact, type Reading, reading } from '../fact.ts'
import { numberIn, objectIn, objectsIn, textIn } from '../seen-facts.ts'
import { several } from '../several.ts'
import type { ChainWords } from './chain-words.ts'
import { evmAddressText } from './evm-address.ts'
import { readEvmCall } from './evm-call.ts'
import { nobody } from './evm-reader.ts'

export const tempoWords: ChainWords = {
  chain: tempo,
  read: (hex, signWith) => ({
    seen: finished(tempo.transaction.read(hex, nobody(signWith))).seen,
    unseen: [],
  }),
  say: (seen, signWith) => transactionWords(objectIn(seen, 'tx'), signWith),
}

function transactionWords(tx: SeenFields, signWith: string): Reading {
  const chain = `Tempo (chain ${numberIn(tx, 'chain_id') ?? 0n})`
  const calls = objectsIn(tx, 'calls').map((call) => callWords(call, tx))

  const fee = (numberIn(tx, 'gas_limit') ?? 0n) * (numberIn(tx, 'max_fee_per_gas') ?? 0n)
  const token = textIn(tx, 'fee_token')
  const payer = token === '' ? 'the token that the account pays fees in' : `the token ${token}`
  return {
    sentence: `On ${chain}: ${several(calls.map(({ sentence }) => sentence))} Fees are at most ${fee} units of gas price, in ${payer}.`,
    facts: [
      fact('Chain', chain),
      fact('Fees at most', `${fee} (gas times price, in ${payer})`),
      fact('Signed with', signWith, { nameable: signWith }),
      ...calls.flatMap(({ facts }, index) =>
        facts.map((each) => ({ ...each, label: `Call ${index + 1}: ${each.label}` })),
      ),
    ],
    dangers: calls.flatMap(({ dangers }) => dangers),
    unknowable: calls.flatMap(({ unknowable }) => unknowable),
  }
}

function callWords(call: SeenFields, tx: SeenFields): Reading {
  const [to, input] = [textIn(call, 'to'), fromHex(unprefixed(textIn(call, 'input'))) ?? new Uint8Array()]
  if (to === '')
    return reading(`Create a contract from ${input.length} bytes of code.`, {
      unknowable: ['The effect of the code of the new contract cannot be read.'],
    })
  return readEvmCall({
    network: String(numberIn(tx, 'chain_id') ?? ''),
    contract: to,
    value: 0n,
    coin: { symbol: '', decimals: 0, smallest: 'units' },
    data: input,
    addressText: evmAddressText,
  })
}
