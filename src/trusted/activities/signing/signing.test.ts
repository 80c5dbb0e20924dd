import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { vectors } from '../../../../test/support/vectors.ts'
import { aService, type TestService } from '../../../../test/support/service.ts'

const CASES = 11

type Signature = { readonly r: string; readonly s: string; readonly v: string }
type Case = Signature & {
  readonly signWith: string
  readonly curve: string
  readonly encoding: string
  readonly hashFunction: string
  readonly payload: string
  readonly digest?: string
  readonly verifyKeyXOnly?: string
}
type KnownAddress = {
  readonly format: string
  readonly address: string
  readonly curve: string
  readonly privateKey?: string
}

const service: TestService = await aService()
const { root } = service
after(() => service.close())

const text = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const joined = ({ r, s }: Signature): Uint8Array => bytes(r + s)

async function aKey(curve: string, addressFormats: readonly string[] = [], privateKeyTags: string[] = []) {
  const privateKeys = [{ privateKeyName: `Key ${names++}`, curve, privateKeyTags, addressFormats }]
  const created = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys })
  const { privateKeyId } = created.privateKeys[0]
  const { json } = await service.query(root, 'get_private_key', { privateKeyId })
  return json.privateKey
}
let names = 0

async function sign(parameters: object): Promise<Signature> {
  return await service.done(root, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters)
}

async function refusal(type: string, parameters: object) {
  service.world.advance(1)
  const { status, json } = await service.submit(root, type, parameters)
  return { status, code: json.code, message: json.message }
}

async function importKey({ privateKey, curve, format }: KnownAddress): Promise<void> {
  const { userId } = root
  const { importBundle } = await service.done(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId })
  const encryptedBundle = await encryptPrivateKeyToBundle({
    privateKey: privateKey ?? '',
    keyFormat: 'HEXADECIMAL',
    importBundle,
    userId,
    organizationId: service.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
  })
  await service.done(root, 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
    userId,
    privateKeyName: `Key ${names++}`,
    encryptedBundle,
    curve,
    addressFormats: [format],
  })
}

test('every known signature is made to the byte by the key of its address, and verifies with another library', async () => {
  const { signRawPayload: cases } = vectors<{ readonly signRawPayload: readonly Case[] }>(
    'facts/crypto-kats.json',
  )
  const known = vectors<readonly KnownAddress[]>('facts/address-vectors.json')
  assert.equal(cases.length, CASES)
  for (const signWith of new Set(cases.map((item) => item.signWith))) {
    const key = known.find(({ address, privateKey }) => address === signWith && privateKey !== undefined)
    assert.ok(key !== undefined, signWith)
    await importKey(key)
  }
  for (const item of cases) {
    const { signWith, payload, encoding, hashFunction } = item
    const signature = await sign({ signWith, payload, encoding, hashFunction })
    assert.deepEqual(signature, { r: item.r, s: item.s, v: item.v }, `${signWith} ${encoding}`)
    if (item.verifyKeyXOnly !== undefined)
      assert.ok(schnorr.verify(joined(signature), bytes(payload), bytes(item.verifyKeyXOnly)))
  }
})

const verifiers = {
  CURVE_SECP256K1: (signature: Signature, message: Uint8Array, publicKey: Uint8Array) =>
    secp256k1.verify(joined(signature), sha256(message), publicKey, { prehash: false, lowS: true }) &&
    Buffer.from(
      secp256k1.recoverPublicKey(bytes(signature.v + signature.r + signature.s), sha256(message), {
        prehash: false,
      }),
    ).equals(publicKey),
  CURVE_P256: (signature: Signature, message: Uint8Array, publicKey: Uint8Array) =>
    p256.verify(joined(signature), sha256(message), publicKey, { prehash: false, lowS: true }),
  CURVE_ED25519: (signature: Signature, message: Uint8Array, publicKey: Uint8Array) =>
    signature.v === '00' && ed25519.verify(joined(signature), message, publicKey, { zip215: false }),
}

for (const [curve, verifies] of Object.entries(verifiers)) {
  const hashFunction = curve === 'CURVE_ED25519' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_SHA256'
  test(`a new key on ${curve} signs one payload and many, in the order given, and each signature verifies`, async () => {
    const { privateKeyId, publicKey } = await aKey(curve)
    const how = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction }
    const payloads = Array.from({ length: 40 }, (_, at) => `message ${at}`)
    const { signatures } = await service.done(root, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      signWith: privateKeyId,
      payloads,
      ...how,
    })
    assert.equal(signatures.length, payloads.length)
    for (const [at, payload] of payloads.entries()) {
      assert.ok(verifies(signatures[at], Buffer.from(payload), Buffer.from(publicKey, 'hex')), payload)
    }
    const alone = await sign({ signWith: privateKeyId, payload: 'message 7', ...how })
    assert.deepEqual(alone, signatures[7])
    const v1 = await service.done(root, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', {
      privateKeyId,
      payload: 'message 7',
      ...how,
    })
    assert.deepEqual(v1, alone)
  })
}

test('the address that is named decides the scheme; an id signs in the scheme of the curve', async () => {
  const formats = [
    'ADDRESS_FORMAT_ETHEREUM',
    'ADDRESS_FORMAT_BITCOIN_TESTNET_P2TR',
    'ADDRESS_FORMAT_SPARK_REGTEST',
  ]
  const key = await aKey('CURVE_SECP256K1', formats)
  const digest = Buffer.from(sha256(Buffer.from('which scheme')))
  const by = async (signWith: string): Promise<Signature> =>
    await sign({
      signWith,
      payload: digest.toString('hex'),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    })
  const [ethereum, taproot, spark] = key.addresses.map(({ address }: { address: string }) => address)
  const publicKey = bytes(key.publicKey)
  const isEcdsa = (signature: Signature) =>
    secp256k1.verify(joined(signature), digest, publicKey, { prehash: false })
  assert.ok(isEcdsa(await by(ethereum)))
  assert.deepEqual(await by(key.privateKeyId), await by(ethereum))
  const underItself = await by(spark)
  assert.ok(schnorr.verify(joined(underItself), digest, publicKey.subarray(1)))
  const tweaked = await by(taproot)
  assert.equal(tweaked.v, '00')
  assert.ok(!isEcdsa(tweaked))
  assert.ok(!schnorr.verify(joined(tweaked), digest, publicKey.subarray(1)))

  const onlyTaproot = await aKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR'])
  const byId = await by(onlyTaproot.privateKeyId)
  assert.ok(secp256k1.verify(joined(byId), digest, bytes(onlyTaproot.publicKey), { prehash: false }))
})

test('a list for an address that signs with Schnorr is shorter than others', async () => {
  const { addresses, privateKeyId } = await aKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_SPARK_MAINNET'])
  const payloads = Array.from({ length: 101 }, (_, index) => `payload ${index}`)
  const of = (signWith: string) => ({ signWith, payloads, ...text })
  const refused = await refusal('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', of(addresses[0].address))
  assert.deepEqual([refused.status, refused.code], [400, 3])
  assert.match(refused.message, /at most 100 entries for an address that signs with Schnorr, not 101/)
  const { signatures } = await service.done(root, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', of(privateKeyId))
  assert.equal(signatures.length, 101)
})

test('a payload that cannot be signed fails the whole list, and the message says which one it was', async () => {
  const { privateKeyId: signWith } = await aKey('CURVE_SECP256K1')
  const digest = '11'.repeat(32)
  const hex = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NO_OP' }
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS'
  const short = await refusal(type, { signWith, payloads: [digest, digest, '1122'], ...hex })
  assert.equal(short.status, 400)
  assert.match(short.message, /^expected a 32-bytes-long digest.*\(payloads\[2\]\)$/)
  const odd = await refusal(type, { signWith, payloads: ['xyz', digest], ...hex })
  assert.match(odd.message, /^invalid payload encoding.*\(payloads\[0\]\)$/)
  const empty = await refusal(type, { signWith, payloads: [digest, ''], ...hex })
  assert.match(empty.message, /payloads\[1\]/)
})

test('a list of payloads is bounded in number and in length', async () => {
  const { privateKeyId: signWith } = await aKey('CURVE_SECP256K1')
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS'
  for (const payloads of [[], Array(1001).fill('x'), Array(3).fill('x'.repeat(200_000))]) {
    const { status, code, message } = await refusal(type, { signWith, payloads, ...text })
    assert.equal(status, 400)
    assert.equal(code, 3)
    assert.match(message, /payloads/)
  }
})

test('a key is named exactly as it is stored, or nothing is found to sign with', async () => {
  const { addresses } = await aKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  const [{ address }] = addresses
  for (const [type, payload] of [
    ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', { payload: 'x' }],
    ['ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', { payloads: ['x'] }],
  ] as const) {
    for (const signWith of [address.toLowerCase(), '0198c5a0-7d3c-7000-8000-00000000dead', 'nobody']) {
      assert.deepEqual(await refusal(type, { signWith, ...payload, ...text }), {
        status: 404,
        code: 5,
        message: 'Could not find any resource to sign with. Addresses are case sensitive.',
      })
    }
  }
})
