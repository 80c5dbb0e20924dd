import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium } from 'playwright-core'
import { temporaryFolder } from '../support/running-service.ts'

/** A page in headless Chromium with a virtual authenticator, on which the published browser packages run as they are. */
export type PasskeyPage = {
  /** `http://localhost:<port>`: a secure context, as browsers count it. */
  readonly origin: string
  /** Makes a passkey; what the published helper returns goes into `attestation` as it is. */
  readonly register: (challenge: string) => Promise<Attestation>
  /** A stamp of the published WebAuthn stamper over exactly these bytes. */
  readonly stamp: (body: string, credentialId: string) => Promise<StampHeader>
  /** Stamps and posts from the page itself, across origins, as an application in a browser does. */
  readonly post: (url: string, body: string, credentialId: string) => Promise<PageAnswer>
  readonly close: () => Promise<void>
}

export type Attestation = {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
  readonly transports: Transport[]
}

export type PageAnswer = { readonly status: number; readonly text: string }

export type Transport = 'AUTHENTICATOR_TRANSPORT_INTERNAL' | 'AUTHENTICATOR_TRANSPORT_USB'

export type StampHeader = { readonly stampHeaderName: string; readonly stampHeaderValue: string }

const CHROMIUM = '/usr/bin/chromium'

/** Why a test that needs a browser was skipped, and what to do about it. */
export const chromiumMissing = 'Chromium is not installed here; on Debian: apt-get install chromium'

export function chromiumAvailable(): boolean {
  return existsSync(CHROMIUM)
}

export async function passkeyPage(): Promise<PasskeyPage> {
  const server = await moduleServer()
  const origin = `http://localhost:${server.port}`
  const context = await chromium.launchPersistentContext(temporaryFolder(), {
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
    ],
  })
  const page = await openPage(context, origin)
  return {
    origin,
    // The page's script, below, answers with these shapes.
    register: (challenge) => page.evaluate<Attestation>(`register(${JSON.stringify(challenge)})`),
    stamp: (...given) => page.evaluate<StampHeader>(`stamp(...${JSON.stringify(given)})`),
    post: (...given) => page.evaluate<PageAnswer>(`post(...${JSON.stringify(given)})`),
    close: async () => {
      await context.close()
      await server.close()
    },
  }
}

async function openPage(context: BrowserContext, origin: string) {
  const page = context.pages()[0] ?? (await context.newPage())
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
  await page.goto(origin)
  await page.waitForFunction('globalThis.isReady === true')
  return page
}

/** No bundler: the browser resolves the packages' own modules by an import map, and the server hands out their files. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@turnkey/webauthn-stamper': fileURLToPath(import.meta.resolve('@turnkey/webauthn-stamper')),
  '@turnkey/http/webauthn': besides('@turnkey/http', 'webauthn.mjs'),
  'sha256-uint8array': fileURLToPath(import.meta.resolve('sha256-uint8array')),
}

const PAGE = `<!doctype html>
<title>Passkeys</title>
<script type="importmap">${JSON.stringify({
  imports: Object.fromEntries(Object.entries(PACKAGES).map(([name, file]) => [name, `/modules${file}`])),
})}</script>
<script type="module">
  import { WebauthnStamper } from '@turnkey/webauthn-stamper'
  import { getWebAuthnAttestation } from '@turnkey/http/webauthn'

  globalThis.stamp = (body, credentialId) => {
    const id = Uint8Array.fromBase64(credentialId, { alphabet: 'base64url' })
    const allowCredentials = [{ type: 'public-key', id }]
    return new WebauthnStamper({ rpId: location.hostname, allowCredentials }).stamp(body)
  }
  globalThis.register = (challenge) =>
    getWebAuthnAttestation({
      publicKey: {
        rp: { id: location.hostname, name: 'Claviger test' },
        challenge: new TextEncoder().encode(challenge),
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }, { type: 'public-key', alg: -257 }],
        user: { id: crypto.getRandomValues(new Uint8Array(16)), name: 'alice', displayName: 'Alice' },
        // The virtual authenticator remembers three passkeys at most; the others are found by their id.
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
      },
    })
  globalThis.post = async (url, body, credentialId) => {
    const { stampHeaderName, stampHeaderValue } = await stamp(body, credentialId)
    const headers = { 'Content-Type': 'application/json', [stampHeaderName]: stampHeaderValue }
    const answer = await fetch(url, { method: 'POST', headers, body })
    return { status: answer.status, text: await answer.text() }
  }
  globalThis.isReady = true
</script>
`

async function moduleServer(): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const folders = Object.values(PACKAGES).map((file) => dirname(file))
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = path.replace(/^\/modules/, '')
    if (path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    else if (folders.some((folder) => file.startsWith(`${folder}/`)) && existsSync(file))
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(file))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    // A TCP server that listens has an address with a port.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A module of a package that its `exports` do not name; a browser fetches files, not exports. */
function besides(packageName: string, file: string): string {
  return fileURLToPath(new URL(file, import.meta.resolve(packageName)))
}
