import assert from 'node:assert/strict'
import { present } from '../../src/trusted/base/assert.ts'
import { type BrowserPage, browserPageAt } from './browser-page.ts'
import { announceWallet } from './browser-wallet.ts'
import { kitBundle } from './kit-bundles.ts'
import { pageServer } from './page-server.ts'
import { aProxiedSetting } from './proxied-setting.ts'
import type { Setting } from './setting.ts'

/** A page with the published wallet kit, as ready as its users find it. */
export type KitPage = {
  readonly setting: Setting
  readonly page: BrowserPage
  /** What was asked of other machines, and not let through. */
  readonly elsewhere: readonly string[]
}

type Kit = {
  /** In a browser of its own, so that a test finds nothing of the one before: no session, and no open dialog. */
  readonly open: () => Promise<KitPage>
  readonly close: () => Promise<void>
}

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

/** The service, and the application that a page loads. Opening a page is what each test does for itself. */
export async function aKit(): Promise<Kit> {
  const files = new Map<string, string>()
  const server = await pageServer(
    { importMap: '{}', files },
    'globalThis.load = async (path) => void (await import(path))',
  )
  const { origin } = server
  const settings = { CLAVIGER_FRAMES_ORIGINS: origin, CLAVIGER_FRAMES_PORT: '0' }
  const setting = await aProxiedSetting({ configId: CONFIG_ID, origin, settings })
  files.set('/app.js', await kitBundle(setting.service.url))
  return {
    open: async () => await aKitPage(setting, await browserPageAt(origin)),
    close: async () => {
      await server.close()
      await setting.service.kill()
    },
  }
}

async function aKitPage(setting: Setting, page: BrowserPage): Promise<KitPage> {
  const frames = present(
    /"frames":"([^"]+)"/.exec(setting.service.output())?.[1],
    'the address of the frames',
  )
  const elsewhere: string[] = []
  await page.page.route(
    (url) => !['localhost', '127.0.0.1'].includes(url.hostname),
    async (route) => {
      elsewhere.push(route.request().url())
      await route.abort()
    },
  )
  await announceWallet(page.page)
  await page.call('load', '/app.js')
  const { url } = setting.service
  await page.call('open', {
    organizationId: setting.env.ORGANIZATION_ID,
    apiBaseUrl: url,
    authProxyUrl: url,
    authProxyConfigId: CONFIG_ID,
    exportIframeUrl: `${frames}/export/`,
    importIframeUrl: `${frames}/import/`,
    auth: { createSuborgParams: { emailOtpAuth: FOUNDED } },
    walletConfig: { features: { auth: true }, chains: { ethereum: { native: true } } },
  })
  await page.page.waitForFunction("['ready', 'error'].includes(globalThis.kit?.clientState)")
  assert.equal(await page.page.evaluate('kit.clientState'), 'ready', 'the kit starts')
  return { setting, page, elsewhere }
}
