import { present } from '../../src/trusted/base/assert.ts'
import type { BrowserPage } from './browser-page.ts'
import { codeIn } from './inbox.ts'
import type { KitPage } from './kit-page.ts'
import { newAddress } from './one-time-code.ts'

type Account = { readonly address: string; readonly addressFormat: string }
export type Wallet = {
  readonly walletId: string
  /** Wallets of the browser are listed too. */
  readonly source: 'embedded' | 'connected'
  readonly walletName: string
  readonly accounts: readonly Account[]
}
type User = { readonly userId: string; readonly userName: string; readonly userEmail?: string }

/** Signs up or logs in, in the dialog, with the code of the newest of these messages. */
export async function comeByMail(
  { setting, page }: KitPage,
  contact: string,
  messages: number,
): Promise<void> {
  await openLogin(page)
  // The dialog waits five seconds for the token of a captcha; the service looks at none.
  await page.page.evaluate("kit.setTurnstileToken('none')")
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
export async function signUp({ setting, page }: KitPage): Promise<Session> {
  await logOut(page)
  const about = { contact: newAddress('kit'), otpType: 'OTP_TYPE_EMAIL' }
  const initiated = await ask<object>(page, 'initOtp', about)
  const otpCode = codeIn(await setting.inbox.newest(about.contact))
  await ask(page, 'completeOtp', { ...about, ...initiated, otpCode })
  await isAuthenticated(page)
  return await ask<Session>(page, 'getSession')
}

export async function logOut({ page }: BrowserPage): Promise<void> {
  await page.evaluate('kit.session && kit.logout()')
  await page.waitForFunction("kit.authState === 'unauthenticated'")
}

export async function openLogin(page: BrowserPage): Promise<void> {
  await logOut(page)
  await page.page.evaluate('void kit.handleLogin()')
}

export async function isAuthenticated(page: BrowserPage): Promise<void> {
  await page.page.waitForFunction("kit.authState === 'authenticated' && kit.user !== undefined")
  await dialogHasLeft(page)
}

/** The kit shows an empty dialog for ever if one is opened while the one before it still fades. */
export async function dialogHasLeft({ page }: BrowserPage): Promise<void> {
  await page.locator('.tk-modal').waitFor({ state: 'detached' })
}

export function button({ page }: BrowserPage, name: string) {
  return page.getByTestId(name)
}

export async function user(page: BrowserPage): Promise<User> {
  return await ask<User>(page, 'fetchUser')
}

export async function newWallet(page: BrowserPage, walletName: string): Promise<Wallet> {
  const accounts = ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_SOLANA']
  const walletId = await ask<string>(page, 'createWallet', { walletName, accounts })
  return await theWallet(page, walletId)
}

export async function theWallet(page: BrowserPage, walletId: string): Promise<Wallet> {
  const wallets = await ask<Wallet[]>(page, 'refreshWallets')
  return present(
    wallets.find((wallet) => wallet.walletId === walletId),
    'the new wallet',
  )
}

export function accountOf({ accounts }: Wallet): Account {
  return present(
    accounts.find(({ addressFormat }) => addressFormat === 'ADDRESS_FORMAT_ETHEREUM'),
    'the account',
  )
}

export async function newKeys(page: BrowserPage) {
  return await page.call<{ privateKey: string; publicKeyUncompressed: string }>('generateP256KeyPair')
}

/**
 * Ends once the kit knows that the frame of its export dialog is ready. Its button can be pressed before, and then asks
 * the service for an export without a key; nothing that can be seen tells one from the other, so this reads what React
 * gave the component with the button.
 */
export async function kitHasItsFrame({ page }: BrowserPage): Promise<void> {
  await page.waitForFunction(() => {
    const button = document.querySelector('[data-testid="confirm-export-warning-button"]')
    const given = Object.entries(button ?? {}).find(([name]) => name.startsWith('__reactFiber$'))
    for (let node = given?.[1]; node; node = node.return)
      if ('exportIframeClient' in (node.memoizedProps ?? {}))
        return [node, node.alternate].some((one) => one?.memoizedProps.exportIframeClient?.iframePublicKey)
    return false
  })
}

type HeldFrame = {
  /** Ends once the frame has said something that was kept back. */
  readonly hasAnswered: () => Promise<void>
  readonly release: () => Promise<void>
}

/** Keeps back all that frames answer, as a slow machine does for a while. */
export async function heldFrame({ page }: BrowserPage): Promise<HeldFrame> {
  const answered = new Promise<void>((resolve) => {
    void page.exposeFunction('hasAnswered', resolve)
  })
  await page.addInitScript(`if (window !== window.top) {
    const post = MessagePort.prototype.postMessage
    let held = []
    MessagePort.prototype.postMessage = function (message) {
      if (held === undefined) return post.call(this, message)
      held.push(() => post.call(this, message))
      hasAnswered()
    }
    globalThis.release = () => {
      for (const say of held) say()
      held = undefined
    }
  }`)
  return {
    hasAnswered: () => answered,
    release: async () => await present(page.frames().at(-1), 'the frame').evaluate('release()'),
  }
}

/** Calls one of the functions that the kit gives to components. */
export function ask<T>(page: BrowserPage, name: string, ...given: readonly object[]): Promise<T> {
  const answer = page.call<T>('ask', name, ...given)
  // A test that fails before it waits for the answer closes the page, and that is not the failure to be told.
  answer.catch(() => undefined)
  return answer
}
