import assert from 'node:assert/strict'
import { base58, bech32 } from '@scure/base'
import * as btc from '@scure/btc-signer'
import { Keypair } from '@solana/web3.js'
import { privateKeyToAddress } from 'viem/accounts'
import { utf8 } from '../../src/trusted/base/bytes.ts'
import { exported, ORGANIZATION } from './bundles.ts'
import { type EmbeddingPage, pageWhereThereIsChromium, withPage } from './embedding-page.ts'

const page = pageWhereThereIsChromium()
const SENTENCE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const KEY = Uint8Array.from({ length: 32 }, (_, at) => at + 1)
const HEX = Buffer.from(KEY).toString('hex')

withPage('a wallet is shown in the frame, and nowhere in the page around it', page, async (world) => {
  const to = await world.embed('export')
  const bundle = exported(utf8(`${SENTENCE}\na passphrase`), { to, signer: world.signer })
  assert.equal(await world.ask('injectWalletExportBundle', bundle, ORGANIZATION), true)
  assert.equal(await shown(world), `${SENTENCE}\na passphrase`)
  assert.ok(!(await world.page.page.content()).includes('legal'))
})

withPage('a key is shown in each format of wallets', page, async (world) => {
  const formats = {
    HEXADECIMAL: `0x${HEX}`,
    SOLANA: base58.encode(Keypair.fromSeed(KEY).secretKey),
    BITCOIN_MAINNET_WIF: btc.WIF(btc.NETWORK).encode(KEY),
    BITCOIN_TESTNET_WIF: btc.WIF(btc.TEST_NETWORK).encode(KEY),
    SUI_BECH32: bech32.encodeFromBytes('suiprivkey', Uint8Array.of(0, ...KEY)),
  }
  for (const [keyFormat, text] of Object.entries(formats)) {
    const to = await world.embed('export')
    await injectKey(world, { to, keyFormat })
    assert.equal(await shown(world), text)
  }
  await injectKey(world, { to: await world.embed('export') })
  assert.equal(await shown(world), formats.HEXADECIMAL, 'hexadecimal where no format is named')
  await assert.rejects(
    injectKey(world, { to: await world.embed('export'), keyFormat: 'DOGECOIN' }),
    /"keyFormat" is none of HEXADECIMAL, SOLANA/,
  )
})

withPage('a key is shown under its own address, and under no other', page, async (world) => {
  const addresses = {
    HEXADECIMAL: privateKeyToAddress(`0x${HEX}`),
    SOLANA: Keypair.fromSeed(KEY).publicKey.toBase58(),
  }
  for (const [keyFormat, address] of Object.entries(addresses)) {
    await injectKey(world, { to: await world.embed('export'), keyFormat, address })
    assert.notEqual(await shown(world), '')
  }
  for (const address of [
    '0x0000000000000000000000000000000000000001',
    'So11111111111111111111111111111111111111112',
  ]) {
    const to = await world.embed('export')
    await assert.rejects(injectKey(world, { to, address }), /another address/)
    assert.equal(await shown(world), '', 'nothing of it is shown')
  }
})

withPage('a bundle opens once: its key is gone afterwards, also for the next page', page, async (world) => {
  const to = await world.embed('export')
  const bundle = exported(utf8(SENTENCE), { to, signer: world.signer })
  await world.ask('injectWalletExportBundle', bundle, ORGANIZATION)
  const again = /this frame has no embedded key/
  await assert.rejects(world.ask('injectWalletExportBundle', bundle, ORGANIZATION), again)
  assert.notEqual(await world.embed('export'), to)
  await assert.rejects(
    world.ask('injectWalletExportBundle', bundle, ORGANIZATION),
    /encrypted to another key/,
  )
})

withPage('a bundle whose plaintext is no text is not shown as a wallet', page, async (world) => {
  const to = await world.embed('export')
  const bundle = exported(Uint8Array.of(0xff, 0xfe), { to, signer: world.signer })
  await assert.rejects(
    world.ask('injectWalletExportBundle', bundle, ORGANIZATION),
    /is it the bundle of a key/,
  )
})

withPage('a key cannot be dragged out of the frame', page, async (world) => {
  const to = await world.embed('export')
  await injectKey(world, { to })
  const isDragged = await world.frame().evaluate(() => {
    const box = document.getElementById('text')
    return box?.dispatchEvent(new DragEvent('dragstart', { bubbles: true, cancelable: true }))
  })
  assert.equal(isDragged, false)
})

async function injectKey(
  world: EmbeddingPage,
  { to, keyFormat, address }: { readonly to: string; readonly keyFormat?: string; readonly address?: string },
): Promise<void> {
  const bundle = exported(KEY, { to, signer: world.signer })
  await world.ask('injectKeyExportBundle', bundle, ORGANIZATION, keyFormat, address)
}

async function shown(world: EmbeddingPage): Promise<string | null> {
  return await world.frame().locator('#text').textContent()
}
