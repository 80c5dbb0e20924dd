import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recoverMessageAddress } from 'viem'
import { english, generateMnemonic, generatePrivateKey, mnemonicToAccount } from 'viem/accounts'
import { present } from '../../src/trusted/base/assert.ts'
import { oidcNonceFor } from '../../src/trusted/crypto/stamp-attested.ts'
import { keepPicture } from '../console/pictures.ts'
import { chromiumAvailable, chromiumMissing } from '../support/chromium.ts'
import type { BrowserPage } from './browser-page.ts'
import { anIssuer } from '../support/issuer.ts'
import { kitAvailable, kitMissing } from './kit-bundles.ts'
import { aKit, type KitPage } from './kit-page.ts'
import {
  accountOf,
  ask,
  button,
  comeByMail,
  dialogHasLeft,
  heldFrame,
  isAuthenticated,
  kitHasItsFrame,
  logOut,
  newKeys,
  newWallet,
  openLogin,
  signUp,
  theWallet,
  user,
  type Wallet,
} from './kit-steps.ts'
import { newAddress } from './one-time-code.ts'

// The published @turnkey/react-wallet-kit in a browser, with its own dialogs, and no other machine than this one.
const available = chromiumAvailable() && kitAvailable() ? await aKit() : undefined
after(() => available?.close())

withKit('the kit starts, and offers what the auth proxy allows', async ({ page }) => {
  await openLogin(page)
  for (const name of ['email-input', 'passkey-login-button', 'passkey-signup-button'])
    await button(page, name).waitFor()
})

withKit('a passkey signs up, logs out, and logs in again', async ({ page }) => {
  await openLogin(page)
  await button(page, 'passkey-signup-button').click()
  await isAuthenticated(page)
  const { userId } = await user(page)
  await openLogin(page)
  await button(page, 'passkey-login-button').click()
  await isAuthenticated(page)
  assert.equal((await user(page)).userId, userId)
})

withKit(
  'a code by mail signs up the first time, with the first wallet, and logs in the next',
  async (world) => {
    const { page } = world
    const contact = newAddress('kit')
    await comeByMail(world, contact, 1)
    const first = await user(page)
    assert.deepEqual([first.userName, first.userEmail], ['Grace', contact])
    const wallets = await ask<Wallet[]>(page, 'refreshWallets')
    const own = wallets.filter(({ source }) => source === 'embedded')
    assert.deepEqual(
      own.map(({ walletName, accounts }) => [walletName, accounts.length]),
      [['First', 2]],
    )
    await comeByMail(world, contact, 2)
    assert.equal((await user(page)).userId, first.userId)
  },
)

withKit('a wallet of the browser signs up, and logs in again', async ({ page }) => {
  await logOut(page)
  const come = () => withProvider(page, 'loginOrSignupWithWallet')
  assert.equal((await come()).action, 'SIGNUP')
  const { userId } = await user(page)
  await logOut(page)
  assert.equal((await come()).action, 'LOGIN')
  assert.equal((await user(page)).userId, userId)
  await logOut(page)
  await withProvider(page, 'loginWithWallet')
  assert.equal((await user(page)).userId, userId)
})

withKit('a wallet is made, and signs a message in the dialog', async (world) => {
  const { page } = world
  await signUp(world)
  const account = accountOf(await newWallet(page, 'Savings'))
  const message = 'from the kit'
  const signing = ask<{ r: string; s: string; v: string }>(page, 'handleSignMessage', {
    message,
    walletAccount: account,
    addEthereumPrefix: true,
    successPageDuration: 0,
  })
  await button(page, 'sign-button').click()
  const { r, s, v } = await signing
  const signature = `0x${r}${s}${v}` as const
  assert.equal(await recoverMessageAddress({ message, signature }), account.address)
})

withKit('a wallet is exported and imported by the functions of the kit', async (world) => {
  const { page } = world
  const { organizationId, userId, token } = await signUp(world)
  assert.equal(await page.call('verifySessionJwtSignature', token), true)
  const wallet = await newWallet(page, 'Travelling')
  const keys = await newKeys(page)
  const exportBundle = await ask<string>(page, 'exportWallet', {
    walletId: wallet.walletId,
    targetPublicKey: keys.publicKeyUncompressed,
  })
  const mnemonic = await page.call<string>('decryptExportBundle', {
    exportBundle,
    embeddedKey: keys.privateKey,
    organizationId,
    returnMnemonic: true,
  })
  assert.equal(addressOf(mnemonic), accountOf(wallet).address)

  const given = { organizationId, userId }
  const { importBundle } = await page.call<{ importBundle: string }>('kit.httpClient.initImportWallet', given)
  const sentence = newSentence()
  const encryptedBundle = await page.call<string>('encryptWalletToBundle', {
    ...given,
    mnemonic: sentence,
    importBundle,
  })
  const walletId = await ask<string>(page, 'importWallet', { walletName: 'Brought', encryptedBundle })
  assert.equal(accountOf(await theWallet(page, walletId)).address, addressOf(sentence))
})

withKit('a private key is imported by the functions of the kit, and exported again', async (world) => {
  const { page } = world
  const { organizationId, userId } = await signUp(world)
  const given = { organizationId, userId }
  const { importBundle } = await page.call<{ importBundle: string }>(
    'kit.httpClient.initImportPrivateKey',
    given,
  )
  const privateKey = generatePrivateKey().slice(2)
  const keyFormat = 'HEXADECIMAL'
  const encryptedBundle = await page.call<string>('encryptPrivateKeyToBundle', {
    ...given,
    privateKey,
    keyFormat,
    importBundle,
  })
  const privateKeyId = await ask<string>(page, 'importPrivateKey', {
    privateKeyName: 'Brought',
    curve: 'CURVE_SECP256K1',
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    encryptedBundle,
  })
  const keys = await newKeys(page)
  const exportBundle = await ask<string>(page, 'exportPrivateKey', {
    privateKeyId,
    targetPublicKey: keys.publicKeyUncompressed,
  })
  assert.equal(
    await page.call('decryptExportBundle', {
      exportBundle,
      embeddedKey: keys.privateKey,
      organizationId,
      keyFormat,
    }),
    privateKey,
  )
})

withKit('somebody signs up and logs in again with a token of an OpenID issuer', async ({ page }) => {
  const issuer = await anIssuer()
  after(issuer.close)
  const come = async (): Promise<string> => {
    await logOut(page)
    const publicKey = await ask<string>(page, 'createApiKeyPair')
    const oidcToken = await issuer.token({ subject: 'ada', nonce: oidcNonceFor(publicKey) })
    const { action } = await ask<{ action: string }>(page, 'completeOauth', {
      oidcToken,
      publicKey,
      providerName: 'issuer',
    })
    await isAuthenticated(page)
    return action
  }
  assert.equal(await come(), 'SIGNUP')
  const { userId } = await user(page)
  assert.equal(await come(), 'LOGIN')
  assert.equal((await user(page)).userId, userId)
})

withKit(
  'a wallet is exported and imported in the dialogs, with the frames of this service',
  async (world) => {
    const { page } = world
    await signUp(world)
    const wallet = await newWallet(page, 'Shown')
    assert.equal(addressOf(await exportedWallet(page, wallet)), accountOf(wallet).address)

    const importing = ask<string>(page, 'handleImportWallet', {
      walletName: 'Typed',
      defaultWalletAccounts: ['ADDRESS_FORMAT_ETHEREUM'],
      successPageDuration: 0,
    })
    const sentence = newSentence()
    await frameText(page).fill(sentence)
    await keepPicture(page.page, 'frames-import')
    await button(page, 'import-button').click()
    const imported = await theWallet(page, await importing)
    assert.equal(accountOf(imported).address, addressOf(sentence))
  },
)

withKit(
  'a private key is imported and exported in the dialogs, with the frames of this service',
  async (world) => {
    const { page } = world
    await signUp(world)
    const importing = ask<string>(page, 'handleImportPrivateKey', {
      curve: 'CURVE_SECP256K1',
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      keyName: 'Typed',
      keyFormat: 'HEXADECIMAL',
      successPageDuration: 0,
    })
    const privateKey = generatePrivateKey()
    await frameText(page).fill(privateKey)
    await button(page, 'import-button').click()
    const privateKeyId = await importing
    await dialogHasLeft(page)
    const about = { privateKeyId, keyFormat: 'HEXADECIMAL' }
    const [text] = await Promise.all([exportedText(page), ask(page, 'handleExportPrivateKey', about)])
    assert.equal(text, privateKey)
  },
)

withKit('a frame that answers late is waited for before an export is confirmed', async (world) => {
  const { page } = world
  await signUp(world)
  const wallet = await newWallet(page, 'Waiting')
  const held = await heldFrame(page)
  const released = async (): Promise<void> => {
    await held.hasAnswered()
    await button(page, 'confirm-export-warning-button').click({ trial: true })
    await page.page.evaluate(SEVERAL_PICTURES)
    await held.release()
  }
  const [text] = await Promise.all([exportedWallet(page, wallet), released()])
  assert.equal(addressOf(text), accountOf(wallet).address)
})

withKit(
  "the kit's own button, confirmed before its frame is ready, asks without a key to encrypt to",
  async (world) => {
    const { page } = world
    await signUp(world)
    const wallet = await newWallet(page, 'Early')
    const held = await heldFrame(page)
    const confirmed = async (): Promise<void> => {
      await held.hasAnswered()
      await button(page, 'confirm-export-warning-button').click()
    }
    const [asked] = await Promise.all([
      page.page.waitForRequest((request) => request.url().endsWith('/submit/export_wallet')),
      assert.rejects(ask(page, 'handleExportWallet', { walletId: wallet.walletId }), {
        message: /handleExportWallet: Error exporting wallet: .*Failed to export wallet/,
      }),
      confirmed(),
    ])
    // Its own code says `targetPublicKey || exportIframeClient?.iframePublicKey`, and it has no client until then.
    assert.deepEqual(asked.postDataJSON().parameters, { walletId: wallet.walletId })
  },
)

/** As long as it takes to draw a page a few times. */
const SEVERAL_PICTURES = `(async () => {
  for (let left = 20; left > 0; left -= 1) await new Promise(requestAnimationFrame)
})()`

function frameText({ page }: BrowserPage) {
  return page.frameLocator('#turnkey-default-iframe-element-id').locator('#text')
}

async function exportedWallet(page: BrowserPage, { walletId }: Wallet): Promise<string> {
  const [text] = await Promise.all([exportedText(page), ask(page, 'handleExportWallet', { walletId })])
  await dialogHasLeft(page)
  return text
}

/** What the frame of the dialog shows, which is to be opened. */
async function exportedText(page: BrowserPage): Promise<string> {
  await kitHasItsFrame(page)
  await button(page, 'confirm-export-warning-button').click()
  // It can be clicked once the frame has opened the bundle, and takes the frame away.
  await button(page, 'export-done').click({ trial: true })
  const text = await frameText(page).textContent()
  await keepPicture(page.page, 'frames-export')
  await button(page, 'export-done').click()
  return text ?? ''
}

/** The address of the first Ethereum account of a wallet with this sentence. */
function addressOf(mnemonic: string): string {
  return mnemonicToAccount(mnemonic).address
}

function newSentence(): string {
  return generateMnemonic(english)
}

/** The providers of wallets are made of functions, which do not cross over to the test. */
async function withProvider({ page }: BrowserPage, name: string): Promise<{ readonly action?: string }> {
  await page.waitForFunction('kit.walletProviders.length > 0')
  return await page.evaluate(`kit.${name}({ walletProvider: kit.walletProviders[0] })`)
}

function withKit(promise: string, body: (world: KitPage) => Promise<void>): void {
  const missing = chromiumAvailable() ? kitMissing : chromiumMissing
  test(promise, { skip: available === undefined && missing }, async () => {
    const world = await present(available, 'skipped without').open()
    try {
      await body(world)
      assert.deepEqual(world.elsewhere, [])
    } finally {
      await world.page.close()
    }
  })
}
