import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { vectors, vectorText } from '../../../test/support/vectors.ts'
import { Bug } from '../base/assert.ts'
import { Failure } from '../base/failure.ts'
import { CURVES, type Curve } from '../crypto/curve.ts'
import { type AddressFormat, addressFormats, addressOf, curvesOf } from './address-format.ts'
import { isBitcoinAddress } from './bitcoin-address.ts'
import { taprootOutputKey } from './bitcoin-script.ts'
import { isTronAddress } from './tron-address.ts'

type AddressVector = {
  readonly format: AddressFormat
  readonly curve: Curve
  readonly publicKey: string
  readonly path: string
  readonly address: string
  readonly status: 'settled' | 'candidate'
  readonly variant?: string
}

test('the formats are those of the contract, in its order', () => {
  const contract = vectors<{ readonly enums: Record<string, unknown> }>('facts/contract.json')

  assert.deepEqual(addressFormats, contract.enums['AddressFormat'])
})

test('every settled address is given to the letter', () => {
  const settled = addressVectors().filter(({ status }) => status === 'settled')

  for (const { format, curve, publicKey, address } of settled) {
    assert.equal(addressOf(format, curve, publicKey), address, format)
  }
  assert.equal(settled.length, 47)
})

test('where sources leave an address open, ours is the candidate that was decided on', () => {
  const decided = addressVectors().filter(({ status }) => status === 'candidate')
  const byKey = Map.groupBy(decided, ({ format, curve, path }) => `${format} ${curve} ${path}`)
  const variants = new Set<string | undefined>()
  assert.equal(decided.length, 49)

  for (const candidates of byKey.values()) {
    const { format, curve, publicKey } = first(candidates)
    if (!curvesOf(format).includes(curve)) continue
    const address = addressOf(format, curve, publicKey)
    const ours = candidates.filter((candidate) => candidate.address === address)
    assert.equal(ours.length, 1, `${format} ${address}`)
    variants.add(first(ours).variant)
  }
  assert.deepEqual([...variants].sort(), [
    'p2sh(p2wpkh) (BIP-49 nested)',
    'p2wsh(p2pk)',
    'user-friendly non-bounceable mainnet (UQ…)',
    undefined,
  ])
})

test('an address of Bitcoin or Tron is known by its checksum, in one spelling, and those of other chains are not', () => {
  let cases = 0
  for (const { format, address } of addressVectors()) {
    const isOfTron = format === 'ADDRESS_FORMAT_TRON'
    const isOfBitcoin = format.startsWith('ADDRESS_FORMAT_BITCOIN_MAINNET')
    assert.equal(isBitcoinAddress(address), isOfBitcoin, address)
    assert.equal(isTronAddress(address), isOfTron, address)
    if (!isOfTron && !isOfBitcoin) continue
    cases++
    const is = isOfTron ? isTronAddress : isBitcoinAddress
    for (const other of [
      address.replace(/.$/, (end) => (end === 'q' ? 'p' : 'q')),
      address.toUpperCase(),
      '',
    ])
      assert.equal(is(other), false, other)
  }
  assert.ok(cases > 10)
})

test('Ethereum addresses agree with those of ethers', () => {
  const accounts = vectors<readonly { privateKey: string; address: string }[]>('ethers/accounts.json')

  for (const { privateKey, address } of accounts) {
    const publicKey = secp256k1.getPublicKey(Buffer.from(privateKey.slice(2), 'hex'))
    assert.equal(addressOf('ADDRESS_FORMAT_ETHEREUM', 'CURVE_SECP256K1', hex(publicKey)), address)
  }
  assert.equal(accounts.length, 259)
})

test('segwit addresses agree with the examples of BIP-84', () => {
  const examples = pairs(vectorText('bips/bip-0084.mediawiki'), /pubkey\s+= (\w+)[^]*?address = (\w+)/g)

  for (const [publicKey, address] of examples) {
    const ours = addressOf('ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH', 'CURVE_SECP256K1', publicKey)
    assert.equal(ours, address)
  }
  assert.equal(examples.length, 3)
})

test('taproot addresses agree with the examples of BIP-86', () => {
  const examples = pairs(
    vectorText('bips/bip-0086.mediawiki'),
    /internal_key\s+= (\w+)[^]*?address\s+= (\w+)/g,
  )

  for (const [internalKey, address] of examples) {
    // The parity of the key must not matter.
    for (const parity of ['02', '03']) {
      const ours = addressOf('ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR', 'CURVE_SECP256K1', parity + internalKey)
      assert.equal(ours, address)
    }
  }
  assert.equal(examples.length, 3)
})

test('taproot output keys agree with the key path of BIP-341', () => {
  const { scriptPubKey } = vectors<{ readonly scriptPubKey: readonly KeyPath[] }>(
    'bips/bip-0341-wallet-test-vectors.json',
  )
  const { given, intermediary } = first(scriptPubKey)

  assert.equal(given.scriptTree, null)
  assert.equal(
    hex(taprootOutputKey(Buffer.from(`02${given.internalPubkey}`, 'hex'))),
    intermediary.tweakedPubkey,
  )
})

type KeyPath = {
  readonly given: { readonly scriptTree: unknown; readonly internalPubkey: string }
  readonly intermediary: { readonly tweakedPubkey: string }
}

test('a format refuses every curve that it does not fit, and says which it needs', () => {
  for (const format of addressFormats) {
    for (const curve of CURVES.filter((other) => !curvesOf(format).includes(other))) {
      assert.throws(
        () => addressOf(format, curve, sampleKeys[curve]),
        (thrown) =>
          thrown instanceof Failure &&
          thrown.code === 3 &&
          thrown.message.startsWith(`invalid address format: ${format} `) &&
          thrown.message.endsWith(` ${curve}`),
      )
    }
  }
  assert.equal(addressFormats.filter((format) => curvesOf(format).length === 0).length, 0)
})

test('the refusal names format and curves', () => {
  assert.throws(() => addressOf('ADDRESS_FORMAT_SOLANA', 'CURVE_P256', sampleKeys.CURVE_P256), {
    message:
      'invalid address format: ADDRESS_FORMAT_SOLANA needs a key on CURVE_ED25519, this one is on CURVE_P256',
  })
})

test('a key has the same address whether it comes compressed or not', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 255n }), (scalar) => {
      const point = secp256k1.Point.BASE.multiply(scalar)
      for (const format of addressFormats.filter((each) => curvesOf(each).includes('CURVE_SECP256K1'))) {
        assert.equal(
          addressOf(format, 'CURVE_SECP256K1', point.toHex(false)),
          addressOf(format, 'CURVE_SECP256K1', point.toHex(true)),
        )
      }
    }),
    { numRuns: 5 },
  )
})

test('a public key that is no key is a bug of ours', () => {
  assert.throws(() => addressOf('ADDRESS_FORMAT_SOLANA', 'CURVE_ED25519', '00'), Bug)
  assert.throws(() => addressOf('ADDRESS_FORMAT_XRP', 'CURVE_SECP256K1', 'zz'), Bug)
  assert.throws(() => addressOf('ADDRESS_FORMAT_XRP', 'CURVE_SECP256K1', `02${'ff'.repeat(32)}`), Error)
})

/** The generators of the three groups. */
const sampleKeys: Readonly<Record<Curve, string>> = {
  CURVE_SECP256K1: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  CURVE_P256: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  CURVE_ED25519: '5866666666666666666666666666666666666666666666666666666666666666',
}

function addressVectors(): readonly AddressVector[] {
  return vectors('facts/address-vectors.json')
}

function pairs(text: string, pattern: RegExp): readonly (readonly [string, string])[] {
  return [...text.matchAll(pattern)].map(([, left = '', right = '']) => [left, right] as const)
}

function first<T>(items: readonly T[]): T {
  const [item] = items
  assert.ok(item !== undefined)
  return item
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
