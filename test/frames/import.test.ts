import assert from 'node:assert/strict'
import { base58, bech32 } from '@scure/base'
import * as btc from '@scure/btc-signer'
import { Keypair } from '@solana/web3.js'
import { openClientBundle } from '../../src/trusted/crypto/bundles.ts'
import { importTarget, ORGANIZATION, USER } from './bundles.ts'
import { type EmbeddingPage, pageWhereThereIsChromium, withPage } from './embedding-page.ts'

const page = pageWhereThereIsChromium()
const SENTENCE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const KEY = Uint8Array.from({ length: 32 }, (_, at) => 255 - at)
const HEX = Buffer.from(KEY).toString('hex')

withPage('a sentence leaves the frame encrypted to the service', page, async (world) => {
  assert.equal(await world.embed('import'), '', 'an import frame has no key')
  const secret = await injected(world)
  await type(world, `  ${SENTENCE.replaceAll(' ', '\n ')} `)
  const bundle = await world.ask<string>('extractWalletEncryptedBundle')
  assert.equal(opened(bundle, secret).toString(), SENTENCE)
  assert.equal(await world.frame().locator('#text').inputValue(), '', 'and is not kept in the frame')
})

withPage('a passphrase is asked for where the page says so, and goes along', page, async (world) => {
  await world.embed('import')
  const field = world.frame().locator('#passphrase')
  assert.equal(await field.isVisible(), false)
  await world.ask('applySettings', {
    enablePassphrase: true,
    passphraseStyles: { fontSize: '20px', labelColor: 'navy' },
  })
  const secret = await injected(world)
  await type(world, SENTENCE)
  await field.fill(' with  spaces ')
  const bundle = await world.ask<string>('extractWalletEncryptedBundle')
  assert.equal(opened(bundle, secret).toString(), `${SENTENCE}\n--PASS--\n with  spaces `)
})

withPage('a key is read in each format of wallets', page, async (world) => {
  const formats = {
    HEXADECIMAL: [HEX, `0x${HEX.toUpperCase()}`, ` ${HEX}\n`],
    SOLANA: [base58.encode(Keypair.fromSeed(KEY).secretKey)],
    BITCOIN_MAINNET_WIF: [btc.WIF(btc.NETWORK).encode(KEY)],
    BITCOIN_TESTNET_WIF: [btc.WIF(btc.TEST_NETWORK).encode(KEY)],
    SUI_BECH32: [bech32.encodeFromBytes('suiprivkey', Uint8Array.of(0, ...KEY))],
  }
  await world.embed('import')
  for (const [keyFormat, texts] of Object.entries(formats)) {
    for (const text of texts) {
      const secret = await injected(world)
      await type(world, text)
      const bundle = await world.ask<string>('extractKeyEncryptedBundle', keyFormat)
      assert.deepEqual(opened(bundle, secret).toString('hex'), HEX, keyFormat)
    }
  }
})

withPage('what is no key in the format is refused, and not quoted', page, async (world) => {
  const other = Keypair.generate().publicKey.toBytes()
  const wrong = {
    HEXADECIMAL: [HEX.slice(2), `${HEX}00`, 'zz'.repeat(32), '1'],
    SOLANA: [base58.encode(KEY), base58.encode(Buffer.concat([KEY, other]))],
    BITCOIN_MAINNET_WIF: [btc.WIF(btc.TEST_NETWORK).encode(KEY), 'K'.repeat(52)],
    BITCOIN_TESTNET_WIF: [btc.WIF(btc.NETWORK).encode(KEY)],
    SUI_BECH32: [bech32.encodeFromBytes('suiprivkey', Uint8Array.of(1, ...KEY)), 'suiprivkey1'],
  }
  await world.embed('import')
  await injected(world)
  for (const [keyFormat, texts] of Object.entries(wrong)) {
    for (const text of texts) {
      await type(world, text)
      const refusal = new Error(`the private key is refused: it is no key in the format ${keyFormat}`)
      await assert.rejects(world.ask('extractKeyEncryptedBundle', keyFormat), (error: Error) =>
        error.message.includes(refusal.message),
      )
    }
  }
  await assert.rejects(world.ask('extractKeyEncryptedBundle', 'toString'), /"keyFormat" is none of/)
})

withPage('a target serves once, and nothing is encrypted before there is one', page, async (world) => {
  await world.embed('import')
  await type(world, SENTENCE)
  await assert.rejects(world.ask('extractWalletEncryptedBundle'), /this frame holds no target/)
  await injected(world)
  await world.ask('extractWalletEncryptedBundle')
  await type(world, SENTENCE)
  await assert.rejects(world.ask('extractWalletEncryptedBundle'), /this frame holds no target/)
  await injected(world)
  await type(world, ' ')
  await assert.rejects(world.ask('extractWalletEncryptedBundle'), /nothing was typed/)
})

async function injected({ signer, ask }: EmbeddingPage): Promise<Uint8Array> {
  const { bundle, secret } = importTarget(signer)
  assert.equal(await ask('injectImportBundle', bundle, ORGANIZATION, USER), true)
  return secret
}

async function type(world: EmbeddingPage, text: string): Promise<void> {
  await world.frame().locator('#text').fill(text)
}

function opened(bundle: string, secret: Uint8Array): Buffer {
  return Buffer.from(openClientBundle(bundle, secret))
}
