import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { authorizationDigest, parseAuthorization } from './eip7702.ts'

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

test('an authorization has one digest, however its numbers are written', () => {
  const digests = [
    { address, chainId: 1, nonce: 7 },
    { address, chainId: '1', nonce: '0x07' },
    { nonce: '7', chainId: '0x1', address: address.toLowerCase() },
  ].map((authorization) => digestOf(authorization))

  // The known answer of the interface for this authorization.
  const expected = '3d4854e790ce8ba02a20db96dd22f65cf4c8e93d060e6c3f57d19682d07b0a28'
  assert.deepEqual(digests, [expected, expected, expected])
})

test('zero is encoded as no bytes: every chain, the first nonce', () => {
  // 05 ‖ a list of 23 bytes: 80, the address after its length, 80.
  const preimage = Buffer.from(`05d78094${address.slice(2)}80`, 'hex')

  const digest = digestOf({ address, chainId: 0, nonce: 0 })

  assert.equal(digest, Buffer.from(keccak_256(preimage)).toString('hex'))
})

test('an authorization with anything missing, added or out of range is refused', () => {
  const start = 'invalid payload encoding: EIP-7702 authorization'
  const refusals = [
    ['[]', ': expected an object, got an array'],
    ['{', ': ended before a key at byte 1'],
    [JSON.stringify({ address, chainId: 1 }), ': "nonce" is missing'],
    [JSON.stringify({ address, chainId: 1, nonce: 1, data: '' }), ': "data" is not one of its fields'],
    [`{"address":"${address}","nonce":1,"nonce":2,"chainId":1}`, ': the key "nonce" for the second time'],
    [JSON.stringify({ address, chainId: -1, nonce: 1 }), ': chainId: -1 is out of range'],
    [JSON.stringify({ address, chainId: 1.5, nonce: 1 }), ': chainId: expected an integer'],
    [JSON.stringify({ address, chainId: null, nonce: 1 }), ': chainId: expected an integer'],
    [
      JSON.stringify({ address, chainId: 1, nonce: String(2n ** 64n - 1n) }),
      ': nonce: "18446744073709551615"',
    ],
    [JSON.stringify({ address, chainId: `0x1${'0'.repeat(64)}`, nonce: 1 }), ': chainId: "0x1000'],
    [
      JSON.stringify({ address: address.slice(0, -2), chainId: 1, nonce: 1 }),
      ': address: expected an address',
    ],
    [JSON.stringify({ address: address.slice(2), chainId: 1, nonce: 1 }), ': address: expected an address'],
  ] as const
  for (const [payload, what] of refusals) {
    assert.throws(
      () => parseAuthorization(payload),
      (thrown: Error) => {
        assert.equal(thrown.message.slice(0, (start + what).length), start + what)
        return true
      },
    )
  }
})

function digestOf(authorization: object): string {
  return Buffer.from(authorizationDigest(parseAuthorization(JSON.stringify(authorization)))).toString('hex')
}
