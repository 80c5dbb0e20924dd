import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Asked, Returned, signatureOf as SignatureOf } from '../../console/readers/signature.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { equalBytes, fromHex, toHex, utf8 } from '../../src/trusted/base/bytes.ts'
import { Failure } from '../../src/trusted/base/failure.ts'
import { finished } from '../../src/trusted/base/work.ts'
import { addressOf } from '../../src/trusted/chains/address-format.ts'
import {
  hexOf,
  paymentTo,
  psbtOf,
  signWithKey,
  testKey,
  testScripts,
} from '../../src/trusted/chains/bitcoin/testing/psbt.ts'
import { SECRET } from '../../src/trusted/chains/ethereum/testing/transactions.ts'
import { chains } from '../../src/trusted/chains/list.ts'
import { readPayload } from '../../src/trusted/chains/read-payload.ts'
import type { ReadTransaction } from '../../src/trusted/chains/transaction.ts'
import type { Curve } from '../../src/trusted/crypto/curve.ts'
import { curves } from '../../src/trusted/crypto/curves.ts'
import { builtModule } from './built-module.ts'

const built = await builtModule('signature')
assert.ok('signatureOf' in built)
const signatureOf = built.signatureOf as typeof SignatureOf

const firstOf = ({ toSign }: ReadTransaction): Uint8Array => present(toSign[0], 'something to sign').bytes

const OTHER = new Uint8Array(32).fill(9)

function keyOn(curve: Curve, secret = SECRET) {
  const signer = curves[curve].signer(secret)
  return { curve, publicKey: signer.publicKey, signer }
}

for (const { name, curve, transaction, example } of chains) {
  if (transaction === undefined) continue
  const { type } = transaction
  const asked = { signWith: example.signWith, type, unsignedTransaction: example.unsigned }
  const key = keyOn(curve)
  const read = finished(transaction.read(example.unsigned, { ...key, signWith: '', interfaces: [] }))
  const signedBy = ({ signer }: typeof key, by = read): Returned => ({
    signedTransaction: by.signed(by.toSign.map(({ bytes }) => signer.sign(bytes))),
  })

  /** The same transaction but for one digit, of which something else is signed. */
  const another = () => {
    for (let at = example.unsigned.length - 1; ; at -= 1) {
      const digit = example.unsigned[at] === '1' ? '2' : '1'
      const unsignedTransaction = example.unsigned.slice(0, at) + digit + example.unsigned.slice(at + 1)
      try {
        const signing = { ...key, signWith: '', interfaces: [] }
        const other = finished(transaction.read(unsignedTransaction, signing))
        if (!equalBytes(firstOf(other), firstOf(read))) return { unsignedTransaction, other }
      } catch (error) {
        assert.ok(error instanceof Failure)
      }
    }
  }

  test(`${name}: a signed transaction is one of what was asked for, and no byte of it may be another`, async () => {
    const isSigned = await signatureOf(asked, key)
    const { signedTransaction } = signedBy(key) as { signedTransaction: string }
    assert.ok(await isSigned({ signedTransaction }))
    const bytes = present(fromHex(signedTransaction), 'hexadecimal')
    for (const at of bytes.keys()) {
      const other = Uint8Array.from(bytes)
      other[at] = (other[at] ?? 0) ^ 1
      assert.equal(await isSigned({ signedTransaction: toHex(other) }), false, `byte ${at}`)
    }
    const odd = [signedTransaction.slice(0, -2), `${signedTransaction}00`, `0x${signedTransaction}`]
    for (const text of ['', 'x', example.unsigned, ...odd, signedTransaction.toUpperCase()])
      assert.equal(await isSigned({ signedTransaction: text }), false, text)
    assert.equal(await isSigned({ r: '00'.repeat(32), s: '00'.repeat(32), v: '00' }), false)
  })

  test(`${name}: the signature of another key is none, and neither is that of another transaction`, async () => {
    assert.equal(await (await signatureOf(asked, key))(signedBy(keyOn(curve, OTHER))), false)
    const { unsignedTransaction, other } = another()
    assert.equal(await (await signatureOf(asked, key))(signedBy(key, other)), false)
    assert.ok(await (await signatureOf({ ...asked, unsignedTransaction }, key))(signedBy(key, other)))
  })
}

for (const script of testScripts)
  test(`the signatures of inputs of Bitcoin are verified, each by itself: ${script}`, async () => {
    const [own, foreign] = [testKey(7), testKey(8)]
    const inputs = [own, foreign, own].map((key, at) => ({
      payment: paymentTo(script, key, key === own ? foreign : testKey(9)),
      value: 10_000n + BigInt(at),
    }))
    const unsignedTransaction = hexOf(psbtOf(inputs))
    const asked = { signWith: '', type: 'TRANSACTION_TYPE_BITCOIN', unsignedTransaction }
    const isSigned = await signatureOf(asked, own.signer)
    const { transaction } = present(
      chains.find(({ name }) => name === 'Bitcoin'),
      'a chain',
    )
    const read = finished(
      present(transaction, 'a rule').read(unsignedTransaction, {
        ...own.signer,
        signWith: '',
        interfaces: [],
      }),
    )
    const signatures = read.toSign.map((toSign) => signWithKey(own, toSign))
    assert.ok(signatures.length >= 2)
    assert.ok(await isSigned({ signedTransaction: read.signed(signatures) }))
    for (const lie of [
      signatures.toReversed(),
      signatures.with(1, present(signatures[0], 'a signature')),
      read.toSign.map((toSign) => signWithKey(foreign, toSign)),
    ])
      assert.equal(await isSigned({ signedTransaction: read.signed(lie) }), false)
  })

const PAYLOADS: readonly (readonly [Curve, Extract<Asked, { payload: string }>])[] = [
  ['CURVE_SECP256K1', raw('ab'.repeat(32), 'HASH_FUNCTION_NO_OP')],
  ['CURVE_P256', raw('ab'.repeat(32), 'HASH_FUNCTION_NO_OP')],
  ['CURVE_SECP256K1', raw('abcd', 'HASH_FUNCTION_SHA256')],
  ['CURVE_P256', raw('0xabcd', 'HASH_FUNCTION_KECCAK256')],
  ['CURVE_ED25519', raw(toHex(utf8('hello')), 'HASH_FUNCTION_NOT_APPLICABLE')],
  [
    'CURVE_ED25519',
    {
      signWith: '',
      payload: 'grüße',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    },
  ],
  [
    'CURVE_SECP256K1',
    {
      signWith: '',
      payload: JSON.stringify({
        domain: { name: 'Shop', chainId: 1 },
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
          ],
          Order: [{ name: 'amount', type: 'uint256' }],
        },
        primaryType: 'Order',
        message: { amount: '7' },
      }),
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    },
  ],
]

function raw(payload: string, hashFunction: string) {
  return { signWith: '', payload, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction }
}

for (const [curve, asked] of PAYLOADS)
  test(`a payload (${curve}, ${asked.encoding}, ${asked.hashFunction}) is verified with its v`, async () => {
    const key = keyOn(curve)
    // The table has such as the interface takes.
    const payload = { ...asked, curve } as Parameters<typeof readPayload>[0]
    const { bytes } = finished(readPayload(payload, { ...key, signWith: '', interfaces: [] }))
    const isSigned = await signatureOf(asked, key)
    const signature = key.signer.sign(bytes)
    assert.ok(await isSigned(signature))
    const { r, s, v } = signature
    for (const lie of [
      { r, s, v: v === '00' ? '01' : '00' },
      { r: s, s: r, v },
      { r: r.slice(2), s: `00${s}`, v },
      { r: '', s: '', v },
      { r: 'x', s, v },
      { r, s: `${s.slice(0, -1)}${s.endsWith('0') ? '1' : '0'}`, v },
      keyOn(curve, OTHER).signer.sign(bytes),
      key.signer.sign(new Uint8Array(32).fill(1)),
      { signedTransaction: r + s + v },
    ])
      assert.equal(await isSigned(lie as Returned), false, JSON.stringify(lie))
  })

test('a key that is not that of the address which was chosen signs nothing that is shown', async () => {
  const asked = raw('ab'.repeat(32), 'HASH_FUNCTION_NO_OP')
  const [key, other] = [keyOn('CURVE_SECP256K1'), keyOn('CURVE_SECP256K1', OTHER)]
  const address = addressOf('ADDRESS_FORMAT_ETHEREUM', 'CURVE_SECP256K1', key.publicKey)
  const signature = (by: typeof key) => by.signer.sign(present(fromHex(asked.payload), 'a digest'))
  assert.ok(await (await signatureOf(asked, { ...key, address }))(signature(key)))
  assert.ok(await (await signatureOf(asked, { ...key, address: address.toLowerCase() }))(signature(key)))
  assert.equal(await (await signatureOf(asked, { ...other, address }))(signature(other)), false)
  assert.equal(
    await (await signatureOf(asked, { ...key, curve: 'CURVE_P256', address }))(signature(key)),
    false,
  )

  const message = { ...asked, hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }
  const [solana, another] = [keyOn('CURVE_ED25519'), keyOn('CURVE_ED25519', OTHER)]
  const base58 = addressOf('ADDRESS_FORMAT_SOLANA', 'CURVE_ED25519', solana.publicKey)
  assert.ok(await (await signatureOf(message, { ...solana, address: base58 }))(signature(solana)))
  assert.equal(await (await signatureOf(message, { ...another, address: base58 }))(signature(another)), false)
})
