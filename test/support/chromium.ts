import { existsSync } from 'node:fs'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { temporaryFolder } from './running-service.ts'

const CHROMIUM = '/usr/bin/chromium'

/** Why a test that needs a browser was skipped, and what to do about it. */
export const chromiumMissing = 'Chromium is not installed here; on Debian: apt-get install chromium'

export function chromiumAvailable(): boolean {
  return existsSync(CHROMIUM)
}

/** Headless Chromium with a folder of its own, and with these switches beside those that every test wants. */
export async function openChromium(switches: readonly string[] = []): Promise<BrowserContext> {
  return await chromium.launchPersistentContext(temporaryFolder(), {
    executablePath: CHROMIUM,
    headless: true,
    chromiumSandbox: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...switches,
    ],
  })
}

/** A page of it with a virtual authenticator, whose passkeys answer without a person. */
export async function pageWithAuthenticator(context: BrowserContext, given?: Page): Promise<Page> {
  const page = given ?? (await context.newPage())
  // For what hangs: a busy machine may take long.
  page.setDefaultTimeout(180_000)
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}
