import { randomBytes } from 'node:crypto'
import { after, test, type TestContext } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { aSetting, type Person, type Setting } from '../clients/setting.ts'
import {
  chromiumAvailable,
  chromiumMissing,
  openChromium,
  pageWithAuthenticator,
} from '../support/chromium.ts'
import { assertAccessible } from './accessible.ts'
import { lookInGerman } from './in-german.ts'
import { takePictures } from './pictures.ts'
import { watchForTrouble } from './watched-page.ts'

/** A running service, and its console in a real browser. */
export type ConsoleSetting = Setting & {
  /** `http://localhost:<port>/console/` */
  readonly consoleUrl: string
  readonly browser: BrowserContext
  /**
   * Opens the console in a page of its own, with a virtual authenticator.
   *
   * @param path  what follows `#`, such as `/activities`
   */
  readonly open: (path?: string) => Promise<Page>
  /** Opens the console and signs in with the API key of this person: the root user unless told. */
  readonly signedIn: (path?: string, person?: KeyHolder) => Promise<Page>
  /** Makes a passkey in this page and registers it for the person; only this page's authenticator has it. */
  readonly givePasskey: (page: Page, person?: Person) => Promise<void>
  /**
   * Sees that this screen has no findings of axe of moderate or worse, in English and in German, and keeps pictures of
   * it in light, dark, narrow, and narrow in German under `test/console/pictures/`.
   */
  readonly look: (page: Page, name: string) => Promise<void>
}

/** For what hangs: a page does little, so that this is long on a busy machine too. */
const HANGS_AFTER_MS = 45_000

type KeyHolder = Pick<Person, 'organizationId' | 'publicKey' | 'privateKey'>

/**
 * Declares the tests of one file: one service and one browser for all of them. A test fails as well by what a page met
 * in it: a violation of its content security policy, an exception, or an error in its log.
 */
export async function consoleTests(start: () => Promise<Setting> = aSetting) {
  const setting = chromiumAvailable() ? await aConsole(await start()) : undefined
  after(async () => {
    await setting?.browser.close()
    await setting?.service.kill()
  })
  return (
    promise: string,
    body: (setting: ConsoleSetting, t: TestContext) => Promise<void>,
    expectedTroubles: readonly RegExp[] = [],
  ): void => {
    test(promise, { skip: setting === undefined && chromiumMissing }, async (t) => {
      const { browser } = present(setting, 'skipped without')
      const watched = watchForTrouble(browser)
      await body(present(setting, 'skipped without'), t).catch(async (error: unknown) => {
        for (const page of browser.pages().slice(1)) t.diagnostic(await page.locator('body').innerText())
        throw error
      })
      await watched.assertOnly(expectedTroubles)
      for (const page of browser.pages().slice(1)) {
        // What was still on its way to the page is no failure of the next test.
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.close()
      }
    })
  }
}

/** @param setting  is not stopped with the browser */
export async function aConsole(setting: Setting): Promise<ConsoleSetting> {
  // The first page stays open and runs no script. So the process of the console outlives each test, with the scripts
  // that it has compiled.
  const browser = await openChromium(['--process-per-site'])
  const consoleUrl = `${setting.service.url.replace('127.0.0.1', 'localhost')}/console/`
  await present(browser.pages()[0], 'the first page').goto(`${consoleUrl}icon.svg`)
  const open: ConsoleSetting['open'] = async (path = '') => {
    const page = await pageWithAuthenticator(browser)
    page.setDefaultTimeout(HANGS_AFTER_MS)
    await page.goto(`${consoleUrl}#${path}`)
    return page
  }
  return {
    ...setting,
    consoleUrl,
    browser,
    open,
    signedIn: async (path, person = setting.root) => {
      const page = await open(path)
      await signOutIfIn(page)
      await page.getByText('With an API key').click()
      await page.getByLabel('Or paste it').fill(keyText(person))
      await page.getByRole('button', { name: 'Sign in with this key' }).click()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      // Signing out before has led away from it.
      if (path !== undefined) await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      return page
    },
    givePasskey: async (page, person = setting.root) => {
      const { client, activity, userId } = person
      // The page is a secure context and the script returns these texts.
      const made = (await page.evaluate(
        `(${MAKE_PASSKEY})(${JSON.stringify(randomBytes(32).toString('base64url'))})`,
      )) as Attestation
      const { challenge, ...attestation } = made
      const transports: [] = []
      await client.createAuthenticators(
        activity('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
          userId,
          authenticators: [
            { authenticatorName: 'Laptop', challenge, attestation: { ...attestation, transports } },
          ],
        }),
      )
    },
    look: async (page, name) => {
      await assertAccessible(page)
      await lookInGerman(page, name)
      await takePictures(page, name)
    },
  }
}

/**
 * Until the session is forgotten: it is in the database of the browser, and a page closed before leaves it to the next.
 */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

async function signOutIfIn(page: Page): Promise<void> {
  const isIn = page.getByRole('button', { name: 'Sign out' })
  await isIn.or(page.getByText('With an API key')).waitFor()
  if (await isIn.isVisible()) await signOut(page)
}

function keyText({ organizationId, publicKey, privateKey }: KeyHolder): string {
  return `ORGANIZATION_ID=${organizationId}\nAPI_PUBLIC_KEY=${publicKey}\nAPI_PRIVATE_KEY=${privateKey}\n`
}

type Attestation = {
  readonly challenge: string
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
}

const MAKE_PASSKEY = `async (challenge) => {
  const encoded = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const credential = await navigator.credentials.create({
    publicKey: {
      rp: { id: location.hostname, name: 'Claviger test' },
      challenge: new TextEncoder().encode(challenge),
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: 'someone', displayName: 'Someone' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    },
  })
  return {
    challenge: encoded(new TextEncoder().encode(challenge)),
    credentialId: credential.id,
    clientDataJson: encoded(credential.response.clientDataJSON),
    attestationObject: encoded(credential.response.attestationObject),
  }
}`
