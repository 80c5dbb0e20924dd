import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { getSignatureFromActivity, getSignaturesFromActivity } from '@turnkey/http'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Setting } from '../setting.ts'
import { type Curve, isGoodSignature } from '../verify-signature.ts'
import { mailDigest, mailTypedData } from './typed-data.ts'

const text = new TextEncoder().encode('Hello, Claviger!')
const textHex = Buffer.from(text).toString('hex')
// EIP-7702: keccak256(0x05 ‖ rlp([chain_id, address, nonce])), with chain 1, the address below and nonce 0.
const delegate = '5fbdb2315678afecb367f032d93f642f64180aa3'
const authorization = JSON.stringify({ chainId: 1, address: `0x${delegate}`, nonce: 0 })
const authorizationDigest = keccak_256(Buffer.from(`05d70194${delegate}80`, 'hex'))

type Case = readonly [
  encoding:
    | 'PAYLOAD_ENCODING_HEXADECIMAL'
    | 'PAYLOAD_ENCODING_TEXT_UTF8'
    | 'PAYLOAD_ENCODING_EIP712'
    | 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
  hashFunction:
    | 'HASH_FUNCTION_NO_OP'
    | 'HASH_FUNCTION_SHA256'
    | 'HASH_FUNCTION_KECCAK256'
    | 'HASH_FUNCTION_NOT_APPLICABLE',
  payload: string,
  signed: Uint8Array,
]

const ecdsaCases: readonly Case[] = [
  ['PAYLOAD_ENCODING_TEXT_UTF8', 'HASH_FUNCTION_SHA256', 'Hello, Claviger!', sha256(text)],
  ['PAYLOAD_ENCODING_TEXT_UTF8', 'HASH_FUNCTION_KECCAK256', 'Hello, Claviger!', keccak_256(text)],
  ['PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_SHA256', textHex, sha256(text)],
  ['PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_KECCAK256', `0x${textHex}`, keccak_256(text)],
  ['PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_NO_OP', hex(sha256(text)), sha256(text)],
]

const casesOf: Readonly<Record<Curve, readonly Case[]>> = {
  CURVE_P256: ecdsaCases,
  CURVE_SECP256K1: [
    ...ecdsaCases,
    ['PAYLOAD_ENCODING_EIP712', 'HASH_FUNCTION_NO_OP', mailTypedData, mailDigest],
    ['PAYLOAD_ENCODING_EIP7702_AUTHORIZATION', 'HASH_FUNCTION_NO_OP', authorization, authorizationDigest],
  ],
  CURVE_ED25519: [
    ['PAYLOAD_ENCODING_TEXT_UTF8', 'HASH_FUNCTION_NOT_APPLICABLE', 'Hello, Claviger!', text],
    ['PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_NOT_APPLICABLE', textHex, text],
  ],
}

const formatOf = {
  CURVE_P256: 'ADDRESS_FORMAT_COMPRESSED',
  CURVE_SECP256K1: 'ADDRESS_FORMAT_ETHEREUM',
  CURVE_ED25519: 'ADDRESS_FORMAT_SOLANA',
} as const

export function signingFlows(setting: Setting): void {
  for (const curve of ['CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'] as const) {
    test(`a key on ${curve} signs every encoding with every hash function, by id and by address`, async () => {
      const { root } = setting
      const { organizationId } = root
      const { privateKeyId, address } = await newKey(setting, curve)
      const { privateKey } = await root.client.getPrivateKey({ organizationId, privateKeyId })
      assert.deepEqual([privateKey.curve, privateKey.exported, privateKey.imported], [curve, false, false])

      for (const [encoding, hashFunction, payload, signed] of casesOf[curve]) {
        for (const signWith of [privateKeyId, address]) {
          const request = { signWith, payload, encoding, hashFunction }
          const { activity } = await root.client.signRawPayload(
            root.activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', request),
          )
          const signature = getSignatureFromActivity(activity)
          const { publicKey } = privateKey
          assert.ok(isGoodSignature(curve, { publicKey, signed, signature }), JSON.stringify(request))
        }
      }
    })
  }

  test('many payloads are signed in one activity, in their order', async () => {
    const { root } = setting
    const { privateKeyId, publicKey } = await newKey(setting, 'CURVE_SECP256K1')
    const payloads = ['first', 'second', 'third']
    const { activity } = await root.client.signRawPayloads(
      root.activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
        signWith: privateKeyId,
        payloads,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_SHA256',
      }),
    )
    const signatures = getSignaturesFromActivity(activity)
    assert.equal(signatures.length, payloads.length)
    for (const [index, signature] of signatures.entries()) {
      const signed = sha256(new TextEncoder().encode(payloads[index]))
      assert.ok(isGoodSignature('CURVE_SECP256K1', { publicKey, signed, signature }))
    }
  })

  test('what cannot be signed is refused in the words that clients look for', async () => {
    const { root } = setting
    const { privateKeyId } = await newKey(setting, 'CURVE_ED25519')
    const sign = (signWith: string, hashFunction: Case[1], payload = 'aa') =>
      root.client.signRawPayload(
        root.activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
          signWith,
          payload,
          encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
          hashFunction,
        }),
      )
    await assert.rejects(sign(privateKeyId, 'HASH_FUNCTION_SHA256'), {
      message: /^Turnkey error 3: invalid hash function/,
    })
    await assert.rejects(sign(privateKeyId, 'HASH_FUNCTION_NOT_APPLICABLE', 'xyz'), {
      message: /^Turnkey error 3: invalid payload encoding/,
    })
    await assert.rejects(sign('0x0000000000000000000000000000000000000000', 'HASH_FUNCTION_SHA256'), {
      code: 5,
      message:
        /^Turnkey error 5: Could not find any resource to sign with\. Addresses are case sensitive\..* \(Details: \[.*\]\)$/,
    })
  })
}

async function newKey({ root }: Setting, curve: Curve) {
  const { activity } = await root.client.createPrivateKeys(
    root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: `Key ${crypto.randomUUID()}`,
          curve,
          privateKeyTags: [],
          addressFormats: [formatOf[curve]],
        },
      ],
    }),
  )
  const made = activity.result.createPrivateKeysResultV2?.privateKeys[0]
  const privateKeyId = present(made?.privateKeyId, 'the new key')
  const address = present(made?.addresses?.[0]?.address, 'its address')
  const { privateKey } = await root.client.getPrivateKey({
    organizationId: root.organizationId,
    privateKeyId,
  })
  return { privateKeyId, address, publicKey: privateKey.publicKey }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
