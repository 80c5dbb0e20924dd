import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { recoverMessageAddress } from 'viem'
import { english, generateMnemonic, generatePrivateKey, mnemonicToAccount } from 'viem/accounts'
import { present } from '../../src/base/assert.ts'
import { type BrowserPage, browserPage, chromiumAvailable, chromiumMissing } from './browser-page.ts'
import { codeIn } from './inbox.ts'
import { kitAvailable, kitBundles, kitMissing } from './kit-page.ts'
import { newAddress } from './one-time-code.ts'
import { type PageServer, pageServer } from './page-server.ts'
import { aProxiedSetting } from './proxied-setting.ts'
import type { Setting } from './setting.ts'

// The published @turnkey/react-wallet-kit in a browser, with its own dialogs, and no other machine than this one.
const CONFIG_ID = 'kit-in-a-browser'

/** What a sign-up by mail founds. */
const FOUNDED = {
  userName: 'Grace',
  customWallet: {
    walletName: 'First',
    walletAccounts: ['ETHEREUM', 'SOLANA'].map((chain) => ({
      curve: chain === 'SOLANA' ? 'CURVE_ED25519' : 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: chain === 'SOLANA' ? "m/44'/501'/0'/0'" : "m/44'/60'/0'/0/0",
      addressFormat: `ADDRESS_FORMAT_${chain}`,
    })),
  },
}

type World = {
  readonly setting: Setting
  readonly page: BrowserPage
  readonly frames: PageServer
  /** What was asked of other machines, and not let through. */
  readonly elsewhere: readonly string[]
}
type Account = { readonly address: string; readonly addressFormat: string }
type Wallet = {
  readonly walletId: string
  readonly walletName: string
  readonly accounts: readonly Account[]
}
type User = { readonly userId: string; readonly userName: string; readonly userEmail?: string }

const available = chromiumAvailable() && kitAvailable() ? await aWorld() : undefined
after(async () => {
  await available?.page.close()
  await available?.frames.close()
  await available?.setting.service.kill()
})

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
    assert.deepEqual(
      wallets.map(({ walletName, accounts }) => [walletName, accounts.length]),
      [['First', 2]],
    )
    await comeByMail(world, contact, 2)
    assert.equal((await user(page)).userId, first.userId)
  },
)

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

withKit('a wallet is exported and imported in the dialogs, with a frame of this service', async (world) => {
  const { page } = world
  await signUp(world)
  const wallet = await newWallet(page, 'Shown')
  const exporting = ask(page, 'handleExportWallet', { walletId: wallet.walletId })
  const text = page.page.frameLocator('#turnkey-default-iframe-element-id').locator('textarea')
  await text.waitFor({ state: 'attached' })
  await button(page, 'confirm-export-warning-button').click()
  // It can be clicked once the frame has opened the bundle, and takes the frame away.
  await button(page, 'export-done').click({ trial: true })
  assert.equal(addressOf(await text.inputValue()), accountOf(wallet).address)
  await button(page, 'export-done').click()
  await exporting

  const importing = ask<string>(page, 'handleImportWallet', {
    walletName: 'Typed',
    defaultWalletAccounts: ['ADDRESS_FORMAT_ETHEREUM'],
    successPageDuration: 0,
  })
  const sentence = newSentence()
  await text.fill(sentence)
  await button(page, 'import-button').click()
  const imported = await theWallet(page, await importing)
  assert.equal(accountOf(imported).address, addressOf(sentence))
})

/** Signs up or logs in, in the dialog, with the code of the newest of these messages. */
async function comeByMail({ setting, page }: World, contact: string, messages: number): Promise<void> {
  await openLogin(page)
  await button(page, 'email-input').fill(contact)
  await button(page, 'email-continue-icon').click()
  const code = codeIn(await setting.inbox.newest(contact, messages))
  await page.page.getByText(contact).waitFor()
  await page.page.locator('input').first().click()
  await page.page.keyboard.type(code)
  await isAuthenticated(page)
}

type Session = { readonly organizationId: string; readonly userId: string; readonly token: string }

/** Somebody new, without the dialogs. */
async function signUp({ setting, page }: World): Promise<Session> {
  await logOut(page)
  const about = { contact: newAddress('kit'), otpType: 'OTP_TYPE_EMAIL' }
  const initiated = await ask<object>(page, 'initOtp', about)
  const otpCode = codeIn(await setting.inbox.newest(about.contact))
  await ask(page, 'completeOtp', { ...about, ...initiated, otpCode })
  await isAuthenticated(page)
  return await ask<Session>(page, 'getSession')
}

async function logOut({ page }: BrowserPage): Promise<void> {
  await page.evaluate('kit.session && kit.logout()')
  await page.waitForFunction("kit.authState === 'unauthenticated'")
}

async function openLogin(page: BrowserPage): Promise<void> {
  await logOut(page)
  await page.page.evaluate('void kit.handleLogin()')
}

async function isAuthenticated({ page }: BrowserPage): Promise<void> {
  await page.waitForFunction("kit.authState === 'authenticated' && kit.user !== undefined")
  await page.locator('.tk-modal').waitFor({ state: 'detached' })
}

function button({ page }: BrowserPage, name: string) {
  return page.getByTestId(name)
}

async function user(page: BrowserPage): Promise<User> {
  return await ask<User>(page, 'fetchUser')
}

async function newWallet(page: BrowserPage, walletName: string): Promise<Wallet> {
  const accounts = ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_SOLANA']
  const walletId = await ask<string>(page, 'createWallet', { walletName, accounts })
  return await theWallet(page, walletId)
}

async function theWallet(page: BrowserPage, walletId: string): Promise<Wallet> {
  const wallets = await ask<Wallet[]>(page, 'refreshWallets')
  return present(
    wallets.find((wallet) => wallet.walletId === walletId),
    'the new wallet',
  )
}

function accountOf({ accounts }: Wallet): Account {
  return present(
    accounts.find(({ addressFormat }) => addressFormat === 'ADDRESS_FORMAT_ETHEREUM'),
    'the account',
  )
}

/** The address of the first Ethereum account of a wallet with this sentence. */
function addressOf(mnemonic: string): string {
  return mnemonicToAccount(mnemonic).address
}

function newSentence(): string {
  return generateMnemonic(english)
}

async function newKeys(page: BrowserPage) {
  return await page.call<{ privateKey: string; publicKeyUncompressed: string }>('generateP256KeyPair')
}

/** Calls one of the functions that the kit gives to components. */
async function ask<T>(page: BrowserPage, name: string, ...given: readonly object[]): Promise<T> {
  return await page.call<T>('ask', name, ...given)
}

async function aWorld(): Promise<World> {
  const files = new Map<string, string>()
  const page = await browserPage(
    { importMap: '{}', files },
    'globalThis.load = async (path) => void (await import(path))',
  )
  const setting = await aProxiedSetting({ configId: CONFIG_ID, origin: page.origin })
  for (const [path, text] of kitBundles(setting.keys)) files.set(path, text)
  const frames = await pageServer({ importMap: '{}', files }, "import '/frame.js'")
  const elsewhere: string[] = []
  await page.page.route(
    (url) => !['localhost', '127.0.0.1'].includes(url.hostname),
    async (route) => {
      elsewhere.push(route.request().url())
      await route.abort()
    },
  )
  await page.call('load', '/app.js')
  const { url } = setting.service
  await page.call('open', {
    organizationId: setting.env.ORGANIZATION_ID,
    apiBaseUrl: url,
    authProxyUrl: url,
    authProxyConfigId: CONFIG_ID,
    exportIframeUrl: frames.origin,
    importIframeUrl: frames.origin,
    auth: { createSuborgParams: { emailOtpAuth: FOUNDED } },
  })
  await page.page.waitForFunction("['ready', 'error'].includes(globalThis.kit?.clientState)")
  assert.equal(await page.page.evaluate('kit.clientState'), 'ready', 'the kit starts')
  return { setting, page, frames, elsewhere }
}

function withKit(promise: string, body: (world: World) => Promise<void>): void {
  const missing = chromiumAvailable() ? kitMissing : chromiumMissing
  test(promise, { skip: available === undefined && missing }, async () => {
    const world = present(available, 'skipped without')
    await body(world)
    assert.deepEqual(world.elsewhere, [])
  })
}
