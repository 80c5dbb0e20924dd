import { type Amount, amountText } from './amounts.ts'
import { type Data, inSentence } from './data.ts'
import type { Decoded } from './decoded.ts'
import { feeSentences } from './fee-sentences.ts'
import type { TokenCall } from './token-call.ts'
import { unreadParts } from './unread-parts.ts'

/** What a request does, in one sentence; of texts that others wrote only addresses and numbers stand in it. */
export function decodedSentence(decoded: Decoded | undefined): string {
  if (decoded === undefined) return 'The service has no room to show what it does.'
  const sentences = [...transfers(decoded), ...structured(decoded), ...nothingToSee(decoded)]
  const told = sentences.length === 0 ? ['What it does stands in the decoded fields.'] : sentences
  const fees = feeSentences(decoded)
  const cut = decoded.isIncomplete ? ['The decoded fields show the beginning of something longer.'] : []
  return [...told, ...fees, ...cut].join(' ')
}

function transfers(decoded: Decoded): readonly string[] {
  const { fields, lists, tokenCalls } = decoded
  const value = fields['eth.tx.value']
  const to = word(fields['eth.tx.to']) || 'a new contract'
  const sends = `It sends ${word(value)} to ${to} on chain ${word(fields['eth.tx.chain_id'])}.`
  const tokens = tokenCalls.map(tokenSentence)
  const isUnread = value !== undefined && tokens.length === 0 && word(fields['eth.tx.data']) !== '0x'
  const calls = (lists['tempo.tx.calls'] ?? []).map(
    (item) => `It calls ${word(item['to'])} on chain ${word(fields['tempo.tx.chain_id'])}.`,
  )
  const listed = TRANSFERS.flatMap(({ path, to: field, amount }) =>
    (lists[path] ?? [])
      .filter((item) => item[amount] !== undefined)
      .map((item) => `It sends ${word(item[amount])} to ${word(item[field]) || 'no address'} (${path}).`),
  )
  const parts = [...unreadParts(decoded), ...calls, ...tokens, ...listed]
  const more = parts.length - SENTENCES_MAX
  return [
    ...(value === undefined ? [] : [sends]),
    ...(isUnread ? [`It calls the contract ${to} with data that this server does not read.`] : []),
    ...parts.slice(0, SENTENCES_MAX),
    ...(more > 0 ? [`It does ${more} more things: see the decoded fields.`] : []),
  ]
}

function tokenSentence({ call, contract, from, to, units }: TokenCall): string {
  const tokens = `${units} units of the token ${contract}`
  if (call === 'transfer') return `It sends ${tokens} to ${to}.`
  const says = call === 'approve' ? `lets ${to} take ${tokens}` : `sends ${tokens} from ${from} to ${to}`
  // Collections (ERC-721) have the same two calls, and a number of a piece where others have an amount.
  return `It ${says}. If that contract is a collection, it is the piece number ${units}.`
}

const SENTENCES_MAX = 20

const TRANSFERS = [
  { path: 'solana.tx.transfers', to: 'to', amount: 'amount' },
  { path: 'solana.tx.spl_transfers', to: 'to', amount: 'amount' },
  { path: 'bitcoin.tx.outputs', to: 'address', amount: 'value' },
  { path: 'tron.tx.contract', to: 'to_address', amount: 'amount' },
  { path: 'aptos.tx.transfers', to: 'to', amount: 'amount' },
] as const

function structured({ fields }: Decoded): readonly string[] {
  const authorized = fields['eth.eip_7702_authorization.address']
  return [
    ...(fields['eth.eip_712.primary_type'] === undefined
      ? []
      : [
          `It signs typed data of ${word(fields['eth.eip_712.domain.verifying_contract']) || 'no contract'}, ` +
            'which can be worth as much as a payment: see the decoded message.',
        ]),
    ...(authorized === undefined ? [] : [`It hands the account over to the code of ${word(authorized)}.`]),
  ]
}

function nothingToSee({ fields }: Decoded): readonly string[] {
  return fields['payload.opaque'] === true
    ? ['The service sees nothing in these bytes but a message or a digest.']
    : []
}

function word(shown: Data | Amount | boolean | undefined): string {
  if (typeof shown !== 'object') return ''
  if ('data' in shown) return shown.data === '' ? '' : inSentence(shown.data)
  return amountText(shown)
}
