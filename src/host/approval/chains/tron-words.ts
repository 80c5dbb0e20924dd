import { fromHex } from '../../../trusted/base/bytes.ts'
import { finished } from '../../../trusted/base/work.ts'
import { base58check } from '../../../trusted/chains/base58check.ts'
import { tron } from '../../../trusted/chains/tron/tron.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import { unprefixed } from '../../../trusted/chains/unprefixed.ts'
import { amountText, feeDangers } from '../amounts.ts'
import { fact, type Reading, reading } from '../fact.ts'
import { memosIn } from '../memo.ts'
import { numberIn, objectIn, objectsIn, textIn } from '../seen-facts.ts'
import type { ChainWords } from './chain-words.ts'
import { readEvmCall } from './evm-call.ts'
import { nobody } from './evm-reader.ts'

export const tronWords: ChainWords = {
  chain: tron,
  read: (hex, signWith) => ({
    seen: finished(tron.transaction.read(hex, nobody(signWith))).seen,
    unseen: [],
  }),
  say: (seen, signWith) => transactionWords(objectIn(seen, 'tx'), signWith),
}

const TRX = { symbol: 'TRX', decimals: 6, smallest: 'sun', feeOfNote: 3_000_000_000n }

function transactionWords(tx: SeenFields, signWith: string): Reading {
  const [contract = {}] = objectsIn(tx, 'contract')
  const owner = textIn(contract, 'owner_address')
  const done = contractWords(contract)
  const feeMax = numberIn(tx, 'fee_limit') ?? 0n
  const fee = amountText(feeMax, TRX)
  const memos = memosIn(textIn(tx, 'data'))
  const says = [done.sentence, ...memos.map(({ sentence }) => sentence)].join(' ')
  return {
    sentence: `On Tron, of the account ${owner}: ${says} Contracts may use fees of ${fee} at most.`,
    facts: [
      fact('Chain', 'Tron'),
      fact('Account', owner, { nameable: owner }),
      ...done.facts,
      ...memos.map((memo) => memo.fact),
      fact('Fees of contracts at most', fee),
      fact('Signed with', signWith, { nameable: signWith }),
    ],
    dangers: [...feeDangers(feeMax, TRX), ...done.dangers],
    unknowable: done.unknowable,
  }
}

function contractWords(contract: SeenFields): Reading {
  const type = textIn(contract, 'type')
  const trx = (field: string): string => amountText(numberIn(contract, field) ?? 0n, TRX)
  const [to, receiver] = [textIn(contract, 'to_address'), textIn(contract, 'receiver_address')]
  const resource = textIn(contract, 'resource')
  switch (type) {
    case 'TransferContract':
      return reading(`Send ${trx('amount')} to ${to}.`, {
        facts: [fact('Amount', trx('amount')), fact('Destination', to, { nameable: to })],
      })
    case 'TriggerSmartContract':
      return called(contract)
    case 'AccountPermissionUpdateContract':
      return reading('Replace the keys that may act for the account.', {
        dangers: ['The keys that are listed rule the account from then on.'],
      })
    case 'FreezeBalanceV2Contract':
      return reading(`Stake ${trx('frozen_balance')} for ${resource}.`)
    case 'UnfreezeBalanceV2Contract':
      return reading(`Unstake ${trx('unfreeze_balance')} of ${resource}.`)
    case 'DelegateResourceContract':
      return reading(`Lend the ${resource} of ${trx('balance')} to ${receiver}${lockText(contract)}.`)
    case 'UnDelegateResourceContract':
      return reading(`Take back the ${resource} of ${trx('balance')} from ${receiver}.`)
  }
  return reading(`Carry out a contract of the type ${type}.`, {
    unknowable: ['The effect of this contract is not known here.'],
  })
}

/** Until then the stake cannot be moved. Nodes lock for three days where no period is named. */
function lockText(contract: SeenFields): string {
  return contract['lock'] === true
    ? `, locked for ${numberIn(contract, 'lock_period') || 86_400n} blocks`
    : ''
}

function called(contract: SeenFields): Reading {
  const tokens = numberIn(contract, 'call_token_value') ?? 0n
  const call = readEvmCall({
    network: 'tron',
    contract: textIn(contract, 'contract_address'),
    value: numberIn(contract, 'call_value') ?? 0n,
    coin: TRX,
    data: fromHex(textIn(contract, 'data')) ?? new Uint8Array(),
    addressText: tronAddressText,
  })
  if (tokens === 0n) return call
  const paid = `${tokens} smallest units of the token ${numberIn(contract, 'token_id') ?? 0n}`
  return { ...call, sentence: `${call.sentence.replace(/\.$/, '')}, paying ${paid}.` }
}

function tronAddressText(address: string): string {
  const bytes = fromHex(unprefixed(address))
  return bytes === undefined ? address : base58check(0x41, bytes)
}
