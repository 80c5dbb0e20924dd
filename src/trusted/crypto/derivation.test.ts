import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { vectorText } from '../../../test/support/vectors.ts'
import { present } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import type { Curve } from './curve.ts'
import { deriveKey, deriveKeys } from './derivation.ts'
import { type HdPath, readPath } from './hd-path.ts'
import { seedOf } from './mnemonic.ts'
import { hex, seededBytes, vectorTest } from './testing/vectors.ts'

const SEED_1 = '000102030405060708090a0b0c0d0e0f'
const SEED_2 =
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542'

/** SLIP-10, "Test vectors" (those on secp256k1 are BIP-32's): curve, seed, path, private key. */
const SLIP10: readonly (readonly [Curve, string, string, string])[] = [
  ['CURVE_P256', SEED_1, 'm', '612091aaa12e22dd2abef664f8a01a82cae99ad7441b7ef8110424915c268bc2'],
  ['CURVE_P256', SEED_1, "m/0'", '6939694369114c67917a182c59ddb8cafc3004e63ca5d3b84403ba8613debc0c'],
  ['CURVE_P256', SEED_1, "m/0'/1", '284e9d38d07d21e4e281b645089a94f4cf5a5a81369acf151a1c3a57f18b2129'],
  ['CURVE_P256', SEED_1, "m/0'/1/2'", '694596e8a54f252c960eb771a3c41e7e32496d03b954aeb90f61635b8e092aa7'],
  ['CURVE_P256', SEED_1, "m/0'/1/2'/2", '5996c37fd3dd2679039b23ed6f70b506c6b56b3cb5e424681fb0fa64caf82aaa'],
  [
    'CURVE_P256',
    SEED_1,
    "m/0'/1/2'/2/1000000000",
    '21c4f269ef0a5fd1badf47eeacebeeaa3de22eb8e5b0adcd0f27dd99d34d0119',
  ],
  ['CURVE_ED25519', SEED_1, 'm', '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7'],
  ['CURVE_ED25519', SEED_1, "m/0'", '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3'],
  ['CURVE_ED25519', SEED_1, "m/0'/1'", 'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2'],
  ['CURVE_ED25519', SEED_1, "m/0'/1'/2'", '92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9'],
  [
    'CURVE_ED25519',
    SEED_1,
    "m/0'/1'/2'/2'",
    '30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662',
  ],
  [
    'CURVE_ED25519',
    SEED_1,
    "m/0'/1'/2'/2'/1000000000'",
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
  ],
  ['CURVE_P256', SEED_2, 'm', 'eaa31c2e46ca2962227cf21d73a7ef0ce8b31c756897521eb6c7b39796633357'],
  ['CURVE_P256', SEED_2, 'm/0', 'd7d065f63a62624888500cdb4f88b6d59c2927fee9e6d0cdff9cad555884df6e'],
  [
    'CURVE_P256',
    SEED_2,
    "m/0/2147483647'",
    '96d2ec9316746a75e7793684ed01e3d51194d81a42a3276858a5b7376d4b94b9',
  ],
  [
    'CURVE_P256',
    SEED_2,
    "m/0/2147483647'/1",
    '974f9096ea6873a915910e82b29d7c338542ccde39d2064d1cc228f371542bbc',
  ],
  [
    'CURVE_P256',
    SEED_2,
    "m/0/2147483647'/1/2147483646'",
    'da29649bbfaff095cd43819eda9a7be74236539a29094cd8336b07ed8d4eff63',
  ],
  [
    'CURVE_P256',
    SEED_2,
    "m/0/2147483647'/1/2147483646'/2",
    'bb0a77ba01cc31d77205d51d08bd313b979a71ef4de9b062f8958297e746bd67',
  ],
  ['CURVE_ED25519', SEED_2, 'm', '171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012'],
  ['CURVE_ED25519', SEED_2, "m/0'", '1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635'],
  [
    'CURVE_ED25519',
    SEED_2,
    "m/0'/2147483647'",
    'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4',
  ],
  [
    'CURVE_ED25519',
    SEED_2,
    "m/0'/2147483647'/1'",
    '3757c7577170179c7868353ada796c839135b3d30554bbb74a4b1e4a5a58505c',
  ],
  [
    'CURVE_ED25519',
    SEED_2,
    "m/0'/2147483647'/1'/2147483646'",
    '5837736c89570de861ebc173b1086da4f505d4adb387c6a1b1342d5e4ac9ec72',
  ],
  [
    'CURVE_ED25519',
    SEED_2,
    "m/0'/2147483647'/1'/2147483646'/2'",
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
  ],
  ['CURVE_P256', SEED_1, "m/28578'", '06f0db126f023755d0b8d86d4591718a5210dd8d024e3e14b6159d63f53aa669'],
  [
    'CURVE_P256',
    SEED_1,
    "m/28578'/33941",
    '092154eed4af83e078ff9b84322015aefe5769e31270f62c3f66c33888335f3a',
  ],
  [
    'CURVE_P256',
    'a7305bc8df8d0951f0cb224c0e95d7707cbdf2c6ce7e8d481fec69c7ff5e9446',
    'm',
    '3b8c18469a4634517d6d0b65448f8e6c62091b45540a1743c5846be55d47d88f',
  ],
]

test('every vector of SLIP-10 is met, those that no other try than the second fits included', () => {
  for (const [curve, seed, path, key] of SLIP10) {
    assert.equal(derived(hex(seed), curve, path), key, `${curve} ${path}`)
  }
})

const BIP32_CASES = 17

test('every vector of BIP-32 is met', () => {
  let [seed, path, cases] = ['', '', 0]
  for (const line of vectorText('bips/bip-0032.mediawiki').split('\n')) {
    seed = /^Seed \(hex\): ([0-9a-f]+)/.exec(line)?.[1] ?? seed
    path = /^\* Chain (m\S*)/.exec(line)?.[1]?.replaceAll('<sub>H</sub>', "'") ?? path
    const key = /^\*\* ext prv: (\w+)/.exec(line)?.[1]
    if (key === undefined) continue
    cases++
    const { privateKey } = HDKey.fromExtendedKey(key)
    assert.equal(derived(hex(seed), 'CURVE_SECP256K1', path), toHex(present(privateKey, 'a private key')))
  }
  assert.equal(cases, BIP32_CASES)
})

type AddressVectors = readonly {
  readonly curve: Curve
  readonly path: string
  readonly privateKey: string
}[]

vectorTest<AddressVectors>(
  'the private key of every address vector is at its path',
  'facts/address-vectors.json',
  (vectors) => {
    const seed = seedOf('test test test test test test test test test test test junk', '')
    assert.equal(vectors.length, 96)
    for (const { curve, path, privateKey } of vectors) {
      assert.equal(derived(seed, curve, path), privateKey, `${curve} ${path}`)
    }
  },
)

type Ethers = readonly {
  readonly seed: string
  readonly nodes: readonly { readonly path: string; readonly privateKey: string }[]
}[]

vectorTest<Ethers>('the keys of another library are at their paths', 'ethers/mnemonics.json', (vectors) => {
  let cases = 0
  for (const { seed, nodes } of vectors) {
    for (const { path, privateKey } of nodes) {
      cases++
      assert.equal(derived(hex(seed.slice(2)), 'CURVE_SECP256K1', path), privateKey.slice(2))
    }
  }
  assert.equal(cases, 2400)
})

const index = fc.oneof(fc.nat(2), fc.nat(2 ** 31 - 1))
const hdPath = fc
  .array(fc.tuple(index, fc.boolean()), { maxLength: 6 })
  .map((levels): HdPath => ({ indexes: levels.map(([at]) => at), hardened: levels.map(([, bit]) => bit) }))
const seed = fc.uint8Array({ minLength: 16, maxLength: 64 })

test('many keys at once are those of one at a time, on secp256k1 as @scure/bip32 has them and on P-256 as whole numbers do', () => {
  const reference = { CURVE_SECP256K1: scureKey, CURVE_P256: slowP256Key }
  const wanted = fc.record({ curve: fc.constantFrom('CURVE_SECP256K1', 'CURVE_P256'), path: hdPath })
  fc.assert(
    fc.property(seed, fc.array(wanted, { maxLength: 6 }), (bytes, all) => {
      const keys = deriveKeys(bytes, all)
      assert.deepEqual(
        keys.map(toHex),
        all.map(({ curve, path }) => reference[curve](bytes, path)),
      )
    }),
  )
})

test('on Ed25519 the hardened and the soft spelling of a level lead to the same key', () => {
  fc.assert(
    fc.property(seed, hdPath, (bytes, path) => {
      const hard = { ...path, hardened: path.hardened.map(() => true) }
      const [key, ...same] = deriveKeys(bytes, [
        { curve: 'CURVE_ED25519', path },
        { curve: 'CURVE_ED25519', path: hard },
      ])
      assert.deepEqual(same, [key])
      assert.deepEqual(deriveKey(bytes, 'CURVE_ED25519', hard), key)
    }),
  )
})

test('each key is the memory of its own, also where one is the parent of another or wanted twice', () => {
  const bytes = seededBytes(1)(64)
  const paths = ['m', 'm/1', 'm/1', 'm/1/2', 'm'].map(pathOf)
  for (const curve of ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const) {
    const keys = deriveKeys(
      bytes,
      paths.map((path) => ({ curve, path })),
    )
    for (const key of keys) {
      const before = keys.map((other) => (other === key ? undefined : toHex(other)))
      key.fill(0)
      assert.deepEqual(
        keys.map((other) => (other === key ? undefined : toHex(other))),
        before,
      )
    }
  }
  assert.deepEqual(bytes, seededBytes(1)(64))
})

test('a path of 255 levels has a key', () => {
  const path = pathOf(`m${"/0'/1".repeat(127)}/2`)
  assert.equal(toHex(deriveKey(hex(SEED_1), 'CURVE_SECP256K1', path)), scureKey(hex(SEED_1), path))
})

function derived(bytes: Uint8Array, curve: Curve, path: string): string {
  return toHex(deriveKey(bytes, curve, pathOf(path)))
}

function pathOf(text: string): HdPath {
  return present(readPath(text), `a path in ${text}`)
}

function scureKey(bytes: Uint8Array, path: HdPath): string {
  let key = HDKey.fromMasterSeed(bytes)
  for (const [level, at] of path.indexes.entries()) {
    key = key.deriveChild(path.hardened[level] === true ? at + 2 ** 31 : at)
  }
  return toHex(present(key.privateKey, 'a private key'))
}

/**
 * SLIP-10 again, in whole numbers and with another library's points; without its retries, which no random seed meets.
 */
function slowP256Key(bytes: Uint8Array, path: HdPath): string {
  let [key, chain] = halves('Nist256p1 seed', bytes)
  for (const [level, at] of path.indexes.entries()) {
    const isHardened = path.hardened[level] === true
    const number = Buffer.alloc(4)
    number.writeUInt32BE(isHardened ? at + 2 ** 31 : at)
    const point = p256.Point.BASE.multiply(key).toBytes(true)
    const before = isHardened ? hex(`00${digits(key)}`) : point
    const [sum, next] = halves(chain, Buffer.concat([before, number]))
    key = (key + sum) % p256.Point.Fn.ORDER
    chain = next
  }
  return digits(key)
}

function halves(key: string | Uint8Array, data: Uint8Array): [bigint, Uint8Array] {
  const all = createHmac('sha512', key).update(data).digest()
  return [BigInt(`0x${all.toString('hex', 0, 32)}`), all.subarray(32)]
}

function digits(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}
