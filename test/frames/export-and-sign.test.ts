import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { Keypair, PublicKey, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js'
import {
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  serializeTransaction,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { utf8 } from '../../src/trusted/base/bytes.ts'
import { generateP256Secret, p256UncompressedKeyOf } from '../../src/trusted/crypto/p256.ts'
import { exported, ORGANIZATION } from './bundles.ts'
import { type EmbeddingPage, pageWhereThereIsChromium, withPage } from './embedding-page.ts'

const page = pageWhereThereIsChromium()
const TO = '0x000000000000000000000000000000000000dEaD'
const UNSIGNED = {
  chainId: 1,
  nonce: 3,
  gas: 21_000n,
  to: TO,
  value: 5n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
} as const

withPage('a key of Ethereum signs messages and transactions', page, async (world) => {
  const privateKey = generatePrivateKey()
  const address = privateKeyToAddress(privateKey)
  await injectKey(world, await world.embed('export-and-sign'), Buffer.from(privateKey.slice(2), 'hex'), {
    address,
  })
  assert.equal(await world.frame().locator('#text').textContent(), '', 'the key is not shown')
  const message = 'grüße'
  const signature = await world.ask<`0x${string}`>('signMessage', { message, type: 'ETHEREUM' }, address)
  assert.equal(await recoverMessageAddress({ message, signature }), address)
  assert.equal(signature, await privateKeyToAccount(privateKey).signMessage({ message }))
  const typed = { ...UNSIGNED, type: 'eip1559' } as const
  const legacy = {
    chainId: 5,
    nonce: 0,
    gas: 21_000n,
    to: TO,
    value: 1n,
    gasPrice: 7n,
    type: 'legacy',
  } as const
  for (const unsigned of [typed, legacy]) {
    const transaction = serializeTransaction(unsigned)
    const signed = await world.ask<`0x02${string}`>('signTransaction', { transaction, type: 'ETHEREUM' })
    assert.equal(signed, await privateKeyToAccount(privateKey).signTransaction(unsigned))
    assert.equal(await recoverTransactionAddress({ serializedTransaction: signed }), address)
    assert.equal(parseTransaction(signed).value, unsigned.value)
  }
})

withPage('a key of Solana signs messages and transactions', page, async (world) => {
  const pair = Keypair.generate()
  const address = pair.publicKey.toBase58()
  const seed = pair.secretKey.subarray(0, 32)
  await injectKey(world, await world.embed('export-and-sign'), seed, { keyFormat: 'SOLANA', address })
  const signature = await world.ask<string>('signMessage', { message: 'hello', type: 'SOLANA' }, address)
  assert.ok(ed25519.verify(Buffer.from(signature, 'hex'), utf8('hello'), pair.publicKey.toBytes()))
  const unsigned = transfer(pair.publicKey)
  const signed = await world.ask<string>(
    'signTransaction',
    { transaction: unsigned, type: 'SOLANA' },
    address,
  )
  const transaction = VersionedTransaction.deserialize(Buffer.from(signed, 'hex'))
  const [own = new Uint8Array()] = transaction.signatures
  assert.ok(ed25519.verify(own, transaction.message.serialize(), pair.publicKey.toBytes()))
})

withPage('what cannot be read is not signed', page, async (world) => {
  const pair = Keypair.generate()
  const to = await world.embed('export-and-sign')
  const ethereum = privateKeyToAddress(generatePrivateKey())
  const privateKey = generatePrivateKey()
  const address = privateKeyToAddress(privateKey)
  await injectKey(world, to, Buffer.from(privateKey.slice(2), 'hex'), {})
  await injectKey(world, to, pair.secretKey.subarray(0, 32), { keyFormat: 'SOLANA' })
  const solana = pair.publicKey.toBase58()
  const whole = serializeTransaction({ ...UNSIGNED, type: 'eip1559' })
  const attempts: readonly (readonly [object, string, RegExp])[] = [
    [{ transaction: `${whole}00`, type: 'ETHEREUM' }, address, /transaction/],
    [{ transaction: whole.slice(0, -2), type: 'ETHEREUM' }, address, /transaction/],
    [{ transaction: '0x', type: 'ETHEREUM' }, address, /no bytes/],
    [{ transaction: `0x7f${'00'.repeat(40)}`, type: 'ETHEREUM' }, address, /type 127/],
    [{ transaction: `0x${'ff'.repeat(200_000)}`, type: 'ETHEREUM' }, address, /more than 131072 bytes/],
    [{ transaction: whole, type: 'SOLANA' }, address, /names another chain/],
    [{ transaction: whole, type: 'BITCOIN' }, address, /names another chain/],
    [
      { transaction: transfer(Keypair.generate().publicKey), type: 'SOLANA' },
      solana,
      /is not one of its required signers/,
    ],
    [{ transaction: transfer(pair.publicKey).slice(0, -2), type: 'SOLANA' }, solana, /transaction/],
    [{ transaction: 'hello', type: 'SOLANA' }, solana, /not hexadecimal/],
    [{ transaction: whole, type: 'ETHEREUM' }, ethereum, /holds no key for/],
    [{ message: 'hi', type: 'ETHEREUM' }, address, /JSON of a "transaction"/],
  ]
  for (const [transaction, by, problem] of attempts)
    await assert.rejects(world.ask('signTransaction', transaction, by), problem)
  await assert.rejects(
    world.ask('signMessage', { message: 'hi', type: 'ETHEREUM' }),
    /does not hold exactly one key/,
  )
  await assert.rejects(
    world.ask('signMessage', { message: 5, type: 'ETHEREUM' }, address),
    /JSON of a "message"/,
  )
})

withPage('of a key that is taken for a sentence nothing is left', page, async (world) => {
  const to = await world.embed('export-and-sign')
  const seen = await world.frame().evaluateHandle(() => {
    const all: Uint8Array[] = []
    const { decode } = TextDecoder.prototype
    TextDecoder.prototype.decode = function (bytes, options) {
      if (bytes instanceof Uint8Array) all.push(bytes)
      return decode.call(this, bytes, options)
    }
    return all
  })
  const bundle = exported(new Uint8Array(32).fill(0xff), { to, signer: world.signer })
  await assert.rejects(world.ask('injectWalletExportBundle', bundle, ORGANIZATION), /sentence of a wallet/)
  assert.deepEqual(await seen.evaluate((all) => [...(all.at(-1) ?? [])]), Array(32).fill(0))
})

withPage('a message that is a transaction of Solana is not signed as a message', page, async (world) => {
  const seed = randomBytes(32)
  await injectKey(world, await world.embed('export-and-sign'), seed, { keyFormat: 'SOLANA' })
  await assert.rejects(
    world.ask('signMessage', { message: TEXT_MESSAGE, type: 'SOLANA' }),
    /this message is a transaction; sign it as one/,
  )
})

withPage('a key that is cleared no longer signs, and all are gone with the page', page, async (world) => {
  const to = await world.embed('export-and-sign')
  const keys = [generatePrivateKey(), generatePrivateKey()]
  for (const key of keys) await injectKey(world, to, Buffer.from(key.slice(2), 'hex'), {})
  const [first = '', second = ''] = keys.map((key) => privateKeyToAddress(key))
  const sign = (address: string) => world.ask('signMessage', { message: 'm', type: 'ETHEREUM' }, address)
  const clear = (address?: string) => world.send({ type: 'CLEAR_EMBEDDED_PRIVATE_KEY', address })
  assert.deepEqual(await clear(first), ['EMBEDDED_PRIVATE_KEY_CLEARED', true])
  await assert.rejects(sign(first), /holds no key/)
  await sign(second)
  assert.equal(await world.ask('clearEmbeddedPrivateKey'), true)
  await assert.rejects(sign(second), /holds no key/)
  assert.equal(await world.embed('export-and-sign'), to, 'the embedded key stays for the next bundle')
  await assert.rejects(sign(second), /holds no key/)
})

withPage('another key may open bundles for a while', page, async (world) => {
  const to = await world.embed('export-and-sign')
  const override = generateP256Secret(randomBytes)
  const overridePublicKey = Buffer.from(p256UncompressedKeyOf(override)).toString('hex')
  const bundle = exported(override, { to, signer: world.signer })
  assert.equal(await world.ask('setEmbeddedKeyOverride', ORGANIZATION, bundle), true)
  for (const method of ['getEmbeddedPublicKey', 'initEmbeddedKey'])
    assert.equal(await world.ask(method), overridePublicKey, method)
  const key = Buffer.from(generatePrivateKey().slice(2), 'hex')
  await injectKey(world, overridePublicKey, key, {})
  await assert.rejects(injectKey(world, to, key, {}), /encrypted to another key/)
  assert.equal(await world.ask('resetToDefaultEmbeddedKey'), true)
  assert.equal(await world.ask('getEmbeddedPublicKey'), to)
  await injectKey(world, to, key, {})
  await assert.rejects(
    world.ask('setEmbeddedKeyOverride', ORGANIZATION, exported(utf8('no key'), { to, signer: world.signer })),
    /it is no key of P-256/,
  )
})

withPage('a frame holds a hundred keys, and no more', page, async (world) => {
  const to = await world.embed('export-and-sign')
  for (let count = 1; count <= 100; count++) await injectKey(world, to, Buffer.alloc(32, count), {})
  await assert.rejects(injectKey(world, to, Buffer.alloc(32, 101), {}), /already holds 100 keys/)
  await injectKey(world, to, Buffer.alloc(32, 100), {})
})

async function injectKey(
  world: EmbeddingPage,
  to: string,
  key: Uint8Array,
  { keyFormat, address }: { readonly keyFormat?: string; readonly address?: string },
): Promise<void> {
  const bundle = exported(key, { to, signer: world.signer })
  await world.ask('injectKeyExportBundle', bundle, ORGANIZATION, keyFormat, address)
}

/** An unsigned transaction with one signer, in hex as clients send it. */
function transfer(from: PublicKey): string {
  const transaction = new Transaction({ feePayer: from, recentBlockhash: PublicKey.default.toBase58() })
  transaction.add(SystemProgram.transfer({ fromPubkey: from, toPubkey: PublicKey.default, lamports: 1 }))
  return transaction.serialize({ requireAllSignatures: false }).toString('hex')
}

/** A message of Solana that is text from its first byte to its last: two accounts, a blockhash and no instruction. */
const TEXT_MESSAGE = `\x01\x00\x01\x02${'A'.repeat(32)}${'B'.repeat(32)}${'C'.repeat(32)}\x00`
