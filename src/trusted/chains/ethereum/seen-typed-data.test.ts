import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseless } from '../../base/caseless.ts'
import { parseTypedData } from './eip712.ts'
import { parseAuthorization } from './eip7702.ts'
import { seenAuthorization } from './seen-authorization.ts'
import { seenTypedData } from './seen-typed-data.ts'

test('a policy sees the values of typed data as they are declared, at any depth', () => {
  const types = {
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[]' },
      { name: 'contents', type: 'string' },
      { name: 'urgent', type: 'bool' },
      { name: 'constructor', type: 'int8[2][]' },
    ],
    Person: [
      { name: 'wallet', type: 'address' },
      { name: 'key', type: 'bytes' },
      { name: 'tag', type: 'bytes4' },
    ],
  }
  const person = { wallet: `0x${'Ab'.repeat(20)}`, key: '0xCAFE', tag: '0xA9059CBB' }
  const message = JSON.parse(
    `{"from":${JSON.stringify(person)},"to":[${JSON.stringify(person)}],"contents":"0xAB","urgent":true,"constructor":[[1,-2]]}`,
  )
  const seenPerson = {
    wallet: caseless(`0x${'ab'.repeat(20)}`),
    key: caseless('0xcafe'),
    tag: caseless('0xa9059cbb'),
  }

  const seen = seenOf({ types, primaryType: 'Mail', domain: {}, message })

  assert.equal(seen['primary_type'], 'Mail')
  assert.deepEqual(Object.entries(seen['message'] ?? {}), [
    ['from', seenPerson],
    ['to', [seenPerson]],
    ['contents', '0xAB'],
    ['urgent', true],
    ['constructor', [[1n, -2n]]],
  ])
})

test('an integer that was sent as a text is its decimal text, and one that was sent as a number is an int', () => {
  const types = { T: ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'uint256' })) }
  const message = {
    a: 1000,
    b: '1000',
    c: '0x3E8',
    d: '115792089237316195423570985008687907853269984665640564039457',
  }

  assert.deepEqual(seenOf({ types, primaryType: 'T', domain: {}, message })['message'], {
    a: 1000n,
    b: '1000',
    c: '1000',
    d: message.d,
  })
})

test('the chain of a domain is an int however it was sent, and absent texts are empty', () => {
  const contract = '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC'
  const domain = { name: 'Permit2', chainId: '0x1', verifyingContract: contract.toLowerCase() }
  const of = (given: object) =>
    seenOf({ types: { T: [] }, primaryType: 'T', domain: given, message: {} })['domain']
  const absent = { name: '', chain_id: {}, verifying_contract: caseless('') }

  assert.deepEqual(of(domain), {
    name: 'Permit2',
    version: '',
    chain_id: 1n,
    verifying_contract: caseless(contract),
  })
  assert.deepEqual(of({ version: '2', chainId: 137 }), { ...absent, version: '2', chain_id: 137n })
  assert.deepEqual(of({}), { ...absent, version: '' })
})

test('a field of the domain that is declared as something else counts as absent', () => {
  const declared = ['name', 'version', 'chainId', 'verifyingContract'].map((name) => ({
    name,
    type: 'bytes',
  }))
  const domain = { name: '0x', version: '0x', chainId: '0x01', verifyingContract: '0x' }
  const typed = { types: { T: [], EIP712Domain: declared }, primaryType: 'T', domain, message: {} }

  assert.deepEqual(seenOf(typed)['domain'], {
    name: '',
    version: '',
    chain_id: {},
    verifying_contract: caseless(''),
  })
})

test('a policy sees of an authorization its address, chain and nonce', () => {
  const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  const payload = JSON.stringify({ address, chainId: '0x1', nonce: 7 })

  assert.deepEqual(seenAuthorization(parseAuthorization(payload)), {
    address: caseless('0x5FbDB2315678afecb367f032d93F642f64180aa3'),
    chain_id: 1n,
    nonce: 7n,
  })
})

function seenOf(typed: object) {
  return seenTypedData(parseTypedData(JSON.stringify(typed)))
}
