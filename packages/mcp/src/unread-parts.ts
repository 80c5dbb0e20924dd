import { inSentence } from './data.ts'
import { type Decoded, textOf } from './decoded.ts'

/**
 * What a transaction does beside the payments that are told: a sentence for each part whose effect nobody reads here.
 */
export function unreadParts({ fields, lists }: Decoded): readonly string[] {
  const programs = (lists['solana.tx.instructions'] ?? [])
    .filter((item) => !isRead(textOf(item['program_key']), textOf(item['instruction_data_hex'])))
    .map(
      (item) =>
        `It calls the program ${inSentence(textOf(item['program_key']))} with data that this server does not read.`,
    )
  const contracts = (lists['tron.tx.contract'] ?? [])
    .map((item) => textOf(item['type']))
    .filter((type) => type !== 'TransferContract')
    .map((type) => `It carries out a ${inSentence(type)}, which this server does not read.`)
  return [
    ...programs,
    ...contracts,
    ...(textOf(fields['eth.tx.type']) === 'TYPE_4' ? [AUTHORIZATIONS] : []),
    ...(hasMemo({ fields, lists }) ? [MEMO] : []),
  ]
}

const AUTHORIZATIONS = 'It carries authorizations that hand accounts over to the code of contracts.'
const MEMO =
  'It carries a memo, by which a bridge or an exchange may decide who gets the payment: see the decoded fields.'

function hasMemo({ fields, lists }: Pick<Decoded, 'fields' | 'lists'>): boolean {
  const instructions = lists['solana.tx.instructions'] ?? []
  return (
    textOf(fields['tron.tx.data']) !== '' ||
    instructions.some((item) => MEMOS.includes(textOf(item['program_key'])))
  )
}

const MEMOS = ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo']

const TOKEN_TRANSFERS = /^(03|0c|1a01)/

/** By program, the beginning of the data of transfers, which are told, of bounds on fees and of memos. */
const READ: ReadonlyMap<string, RegExp> = new Map([
  ['11111111111111111111111111111111', /^(02|0b)000000/],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', TOKEN_TRANSFERS],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', TOKEN_TRANSFERS],
  ['ComputeBudget111111111111111111111111111111', /^/],
  ...MEMOS.map((program): [string, RegExp] => [program, /^/]),
])

function isRead(program: string, data: string): boolean {
  return READ.get(program)?.test(data) === true
}
