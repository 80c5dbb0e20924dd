import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTypedData } from './eip712.ts'
import { parseAuthorization } from './eip7702.ts'
import { seenAuthorization } from './seen-authorization.ts'
import { seenTypedData } from './seen-typed-data.ts'
import { A, bytesOf, int, raw, SECRET, signer, tx } from './testing/transactions.ts'
import { readEthereumTransaction } from './transaction.ts'
import { readTempoTransaction } from '../tempo/transaction.ts'
import { type ContractInterface, type SeenFields, UNANSWERABLE } from '../transaction.ts'
import { parseExpression } from '../../policy/expression.ts'
import { struct, type Type } from '../../policy/types.ts'
import { ethNamespace } from './eth-namespace.ts'
import { ethereum } from './ethereum.ts'
import { tempoNamespace } from '../tempo/tempo-namespace.ts'

test('policies decide about what a transaction says', () => {
  const transfer = readEthereumTransaction(tx(2), signer(SECRET), []).seen

  says("eth.tx.to == '0x5FBDB2315678AFECB367F032D93F642F64180AA3'", transfer, true)
  says("eth.tx.from == '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'", transfer, true)
  says('eth.tx.value <= 1000 && eth.tx.chain_id == 1', transfer, true)
  says('eth.tx.value <= 999 && eth.tx.chain_id == 1', transfer, false)
  says("eth.tx.data[0..10] == '0xa9059cbb'", transfer, true)
  says("eth.tx.type == 'TYPE_2' && eth.tx.nonce < 5 && eth.tx.max_fee_per_gas > 0", transfer, true)
  says("eth.tx.function_name == 'transfer'", transfer, 'missing')
  says('eth.tx.max_fee_per_blob_gas > 0', transfer, 'missing')
  says("eth.eip_712.primary_type == 'Mail'", transfer, 'missing')
})

test('of a transaction that every chain takes no chain can be asked: what names one fails, which in a rule that denies is a denial', () => {
  const fields = [int(1), int(9), int(21_000), A, int(5), bytesOf('')]
  const replayable = readEthereumTransaction(raw(0, fields), signer(SECRET), []).seen

  for (const condition of ['eth.tx.chain_id == 1', 'eth.tx.chain_id != 1', 'eth.tx.chain_id in [1, 10]'])
    says(condition, replayable, 'failed')
  says('eth.tx.value == 5', replayable, true)
})

test('policies decide about the arguments of a call whose interface is known', () => {
  const inputs = [
    { name: 'to', type: 'address' },
    { name: 'amt', type: 'uint256' },
  ]
  const known: ContractInterface = {
    kind: 'ethereum',
    address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
    text: JSON.stringify([{ type: 'function', name: 'transfer', inputs }]),
  }
  const word = (digits: string) => digits.padStart(64, '0')
  const data = bytesOf(`a9059cbb${word('ab'.repeat(20))}${word('63')}`)
  const call = readEthereumTransaction(tx(2, { data }), signer(SECRET), [known]).seen

  says("eth.tx.function_name == 'transfer' && eth.tx.contract_call_args['amt'] < 100", call, true)
  says("eth.tx.contract_call_args['amt'] < 99", call, false)
  says(`eth.tx.contract_call_args['to'] == '0x${'AB'.repeat(20)}'`, call, true)
  says("eth.tx.function_signature == '0xa9059cbb'", call, true)

  const elsewhere = readEthereumTransaction(tx(2, { data, chainId: int(137) }), signer(SECRET), [known]).seen
  says("eth.tx.contract_call_args['amt'] < 100 && eth.tx.chain_id == 137", elsewhere, true)
  says("eth.tx.contract_call_args['amt'] < 100 && eth.tx.chain_id == 1", elsewhere, false)
})

test('policies decide about typed data and authorizations', () => {
  const types = {
    Permit: [
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'text', type: 'uint256' },
    ],
  }
  const message = { spender: `0x${'aa'.repeat(20)}`, value: 5, text: '5' }
  const typed = { types, primaryType: 'Permit', domain: { chainId: 1 }, message }
  const permit = { eth: { eip_712: seenTypedData(parseTypedData(JSON.stringify(typed))) } }
  const payload = JSON.stringify({ address: `0x${'dd'.repeat(20)}`, chainId: 1, nonce: 0 })
  const authorization = { eth: { eip_7702_authorization: seenAuthorization(parseAuthorization(payload)) } }

  says("eth.eip_712.primary_type == 'Permit' && eth.eip_712.domain.chain_id == 1", permit, true)
  says(`eth.eip_712.message['spender'] == '0x${'AA'.repeat(20)}'`, permit, true)
  says("eth.eip_712.message['value'] < 6 && eth.eip_712.message['text'] == '5'", permit, true)
  says("eth.eip_712.domain.version == ''", permit, true)
  says("eth.eip_712.domain.name == 'Permit2'", permit, false)
  says("eth.eip_712.domain.name != 'Permit2'", permit, true)
  says(`eth.eip_7702_authorization.address == '0x${'DD'.repeat(20)}'`, authorization, true)
  const everywhere = parseAuthorization(payload.replace('"chainId":1', '"chainId":0'))
  const ofAll = { eth: { eip_7702_authorization: seenAuthorization(everywhere) } }
  says('eth.eip_7702_authorization.chain_id == 0', ofAll, true)
})

test('the fields that a request may lack are those that the chain declares, and no field of typed data is one', () => {
  const legacy = raw(0, [int(1), int(9), int(21_000), A, int(5), bytesOf('')])
  const txs = [legacy, ...([1, 2, 3, 4] as const).map((type) => tx(type))].map(
    (unsigned) => readEthereumTransaction(unsigned, signer(SECRET), []).seen['eth'],
  )
  const typed = { types: { Mail: [] }, primaryType: 'Mail', domain: {}, message: {} }
  const data = { eip_712: seenTypedData(parseTypedData(JSON.stringify(typed))) }
  const lacked = [
    ...txs.flatMap((seen) => lackedBy(seen, struct({ tx: ethNamespace.tx }))),
    ...lackedBy(data, struct({ eip_712: ethNamespace.eip_712 })),
  ]
  assert.deepEqual([...new Set(lacked)].toSorted(), Object.keys(ethereum.lacks).toSorted())

  // An interface without the function called makes rules on the call fail, and lets no DENY policy be skipped.
  const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  const empty: ContractInterface = { kind: 'ethereum', address, text: '[]' }
  const call = readEthereumTransaction(tx(2), signer(SECRET), [empty]).seen
  for (const field of ["function_name == 'approve'", "contract_call_args['amt'] > 5"])
    says(`eth.tx.${field}`, call, 'failed')
  says("eth.tx.function_signature == '0xa9059cbb'", call, true)
})

/** The paths of the fields that a struct of this type lacks. */
function lackedBy(seen: SeenFields[string], type: Type, path: readonly string[] = []): readonly string[] {
  if (seen === undefined) return [path.join('.')]
  if (type.kind !== 'struct' || typeof seen !== 'object' || Array.isArray(seen) || seen === UNANSWERABLE)
    return []
  const fields = new Map<string, SeenFields[string]>(Object.entries(seen))
  return Object.entries(type.fields).flatMap(([name, field]) =>
    lackedBy(fields.get(name), field, [...path, name]),
  )
}

test('policies decide about the calls of a Tempo transaction', () => {
  const none = new Uint8Array()
  const transaction = (...inputs: readonly string[]) => {
    const calls = inputs.map((input) => [A, none, bytesOf(input)])
    const times = [none, none, none, none]
    const fields = [int(42_431), int(1), int(2), int(60_000), calls, [], none, int(4), ...times, []]
    return readTempoTransaction(raw(0x76, fields), signer(SECRET)).seen
  }
  const isTransfer = "tempo.tx.calls.all(c, c.function_signature == '0xa9059cbb')"

  says(isTransfer, transaction('a9059cbb01', 'a9059cbb02'), true)
  says(isTransfer, transaction('a9059cbb01', 'a9059cbc02'), false)
  says("tempo.tx.calls[0].input == '0xA9059CBB01'", transaction('a9059cbb01'), true)
  says("tempo.tx.fee_token == '' && tempo.tx.valid_before == 0", transaction('a9059cbb'), true)
})

function says(condition: string, seen: SeenFields, expected: boolean | 'missing' | 'failed'): void {
  const vocabulary = { eth: struct(ethNamespace), tempo: struct(tempoNamespace) }
  const value = parseExpression(condition, vocabulary).evaluate(seen)

  assert.equal(typeof value === 'boolean' ? value : value.kind, expected, condition)
}
