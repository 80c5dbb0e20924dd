import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idAt } from '../../src/trusted/base/ids.ts'
import { sentenceOf } from '../../console/screens/policies/sentence.ts'

// The words of the page ask for its language.
Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } })

const bytesOf = (value: number) => (length: number) => new Uint8Array(length).fill(value)

const [A, B, F, W] = ['a', 'b', 'f', 'e'].map((digit) => '11111111-1111-4111-8111-1111' + digit.repeat(8))

const NAMES = new Map([
  [`${A}`, 'Ada'],
  [`${B}`, 'Ada'],
  [`${F}`, 'finance'],
  [`${W}`, 'Till” or "the wallet" is\u02ba “Safe'],
  ['EXPORT_WALLET', 'SIGN_TRANSACTION'],
])

const NEW = { effect: 'EFFECT_ALLOW', condition: '', consensus: '', time: '' }

function said(terms: Partial<typeof NEW>): string {
  return sentenceOf({ ...NEW, ...terms }, NAMES).replaceAll(/[\u2068\u2069]/g, '')
}

test('a policy says names in the place of ids, and amounts in the coin of the chain that it names', () => {
  assert.equal(
    said({ condition: 'eth.tx.chain_id == 137 && eth.tx.value <= 1500000000000000000' }),
    'Allows requests where the chain is Polygon (chain 137) and the amount sent is at most 1.5 POL (1500000000000000000 wei).',
  )
  assert.equal(
    said({ condition: 'eth.tx.value <= 1500000000000000000 && eth.tx.gas_price <= 2000000000' }),
    'Allows requests where the amount sent is at most 1500000000000000000 wei and the fee for a unit of gas is at most 2 gwei (2000000000 wei).',
  )
  assert.equal(
    said({ condition: `usage.user == '${A}' && usage.sum(eth.tx.value, '24h', usage.user) <= 5` }),
    'Allows requests where the user who asks is “Ada” (…aaaaaaaa) and what the amount sent came to within 24h (counted apart by the user who asks) is at most 0.000000000000000005 coins of whichever chain (5 wei).',
  )
})

test('a sum is told in coins of every chain, which its meter counts together, also beside the name of one', () => {
  assert.equal(
    said({
      condition:
        "eth.tx.chain_id == 137 && usage.sum(eth.tx.value, '24h', eth.tx.from) <= 1500000000000000000",
    }),
    'Allows requests where the chain is Polygon (chain 137) and what the amount sent came to within 24h (counted apart by eth.tx.from) is at most 1.5 coins of whichever chain (1500000000000000000 wei).',
  )
})

test('two users with one name, made one after the other, are told apart by their ids', () => {
  // The first 48 bits of an id are the milliseconds of its making.
  const [first, second] = [idAt(1_795_212_000_000, bytesOf(1)), idAt(1_795_212_001_000, bytesOf(2))]
  const names = new Map([first, second].map((id) => [id, 'Ada']))
  const [one, other] = [first, second].map((id) =>
    sentenceOf({ ...NEW, condition: `usage.user == '${id}'` }, names),
  )
  assert.match(one ?? '', /“Ada” \(/)
  assert.notEqual(one, other)
})

test('a consensus says who approves', () => {
  assert.match(
    said({ consensus: `approvers.any(u, u.id == '${A}')` }),
    /, provided that “Ada” \(…aaaaaaaa\) approves\.$/,
  )
  assert.match(
    said({ consensus: `approvers.any(one, one.tags.contains('${F}'))` }),
    /somebody with the tag “finance” \(…ffffffff\) approves/,
  )
  assert.match(
    said({ consensus: `approvers.filter(u, u.tags.contains('${F}')).count() >= 2` }),
    /the number of approvers with the tag “finance” \(…ffffffff\) is at least 2/,
  )
})

test('what is not understood stands as it is written, and no name says more than a name', () => {
  assert.match(said({ consensus: "approvers.any(u, u.id != 'a')" }), /approvers\.any\(u, u\.id != 'a'\)/)
  assert.match(said({ consensus: "credentials.any(u, u.id == 'a')" }), /credentials\.any\(u, u\.id == 'a'\)/)
  assert.match(said({ condition: "wallet.id == 'unknown'" }), /the wallet is 'unknown'/)
  assert.match(
    said({ condition: `wallet.id == '${W}'` }),
    /the wallet is “Till' or 'the wallet' is' 'Safe” \(…eeeeeeee\)\.$/,
  )
})

test('what has one name is told apart, and nothing but an id is called by a name', () => {
  assert.notEqual(said({ condition: `usage.user == '${A}'` }), said({ condition: `usage.user == '${B}'` }))
  assert.match(said({ condition: "activity.kind == 'EXPORT_WALLET'" }), /activity is 'EXPORT_WALLET'\.$/)
})

test('what is denied ends where it is written to end', () => {
  const [one, other] = ["activity.kind == 'A'", "activity.action == 'B'"]
  assert.match(
    said({ condition: `!(${one}) && ${other}` }),
    /\(it is not so that the kind of activity is 'A'\) and the action is 'B'\.$/,
  )
  assert.match(
    said({ condition: `!(${one} && ${other})` }),
    /it is not so that \(the kind of activity is 'A' and the action is 'B'\)\.$/,
  )
})
