import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import type { Frame } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { quorumSigner, type QuorumSigner } from '../../src/trusted/crypto/bundles.ts'
import { generateP256Secret } from '../../src/trusted/crypto/p256.ts'
import { browserPage, type BrowserPage } from '../clients/browser-page.ts'
import { moduleGraph } from '../clients/module-graph.ts'
import { chromiumAvailable, chromiumMissing } from '../support/chromium.ts'
import { framesServer } from './frames-server.ts'

/** A page of an application in Chromium that embeds frames with the published client. */
export type EmbeddingPage = {
  readonly page: BrowserPage
  /** Signs bundles, as the service does whose frames these are. */
  readonly signer: QuorumSigner
  readonly framesOrigin: string
  /** Embeds a frame and opens its channel. @returns its public key */
  readonly embed: (name: FrameName, timeToLiveMs?: number) => Promise<string>
  /** Calls a method of the published client on the frame that was embedded last. */
  readonly ask: <T>(method: string, ...given: readonly unknown[]) => Promise<T>
  /** Sends any message on the channel of that frame: type and value of the answer. */
  readonly send: (message: object) => Promise<readonly [type: string, value: unknown]>
  /** What browsers say of a page that does what its policy forbids. */
  readonly violations: string[]
  /** The document of that frame, which only the test can look into. */
  readonly frame: () => Frame
}

type FrameName = 'auth' | 'export' | 'import' | 'export-and-sign'

const SCRIPT = `
import { IframeStamper } from '@turnkey/iframe-stamper'

let stamper, count = 0
globalThis.embed = async (iframeUrl, timeToLive) => {
  stamper?.clear()
  const iframeContainer = document.body.appendChild(document.createElement('div'))
  stamper = new IframeStamper({ iframeUrl, iframeContainer, iframeElementId: 'frame-' + ++count })
  return await stamper.init(timeToLive)
}
globalThis.ask = (method, ...given) => stamper[method](...given)
globalThis.send = (message) => new Promise((resolve) => {
  const { port1 } = stamper.messageChannel
  const heard = ({ data }) => {
    if (data.requestId !== message.requestId) return
    port1.removeEventListener('message', heard)
    resolve([data.type, data.value])
  }
  port1.addEventListener('message', heard)
  port1.postMessage(message)
})
globalThis.anotherChannel = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => resolve(data)
  stamper.iframe.contentWindow.postMessage({ type: 'TURNKEY_INIT_MESSAGE_CHANNEL' }, stamper.iframeOrigin, [port2])
})
globalThis.publicKeys = (count) =>
  Promise.all(Array.from({ length: count }, () => stamper.getEmbeddedPublicKey().catch(String)))
`

async function embeddingPage(): Promise<EmbeddingPage> {
  const page = await browserPage(moduleGraph(['@turnkey/iframe-stamper']), SCRIPT)
  const violations: string[] = []
  page.page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text())
  })
  const signer = quorumSigner(generateP256Secret(randomBytes))
  const frames = await framesServer({ signerKey: signer.publicKey, allowedOrigins: [page.origin] })
  after(async () => {
    await page.close()
    await frames.close()
  })
  return {
    page,
    signer,
    violations,
    framesOrigin: frames.origin,
    embed: (name, timeToLiveMs) => page.call('embed', `${frames.origin}/${name}/`, timeToLiveMs),
    ask: (method, ...given) => page.call('ask', method, ...given),
    send: (message) => page.call('send', message),
    frame: () =>
      present(
        page.page.frames().findLast((frame) => frame.url().startsWith(frames.origin)),
        'the frame',
      ),
  }
}

/** A test with a page of its own file, where Chromium is installed. */
export function withPage(
  promise: string,
  page: Promise<EmbeddingPage> | undefined,
  body: (page: EmbeddingPage) => Promise<void>,
): void {
  test(promise, { skip: page === undefined && chromiumMissing }, async () => {
    const world = await present(page, 'skipped without')
    await body(world)
    assert.deepEqual(world.violations, [])
  })
}

export function pageWhereThereIsChromium(): Promise<EmbeddingPage> | undefined {
  return chromiumAvailable() ? embeddingPage() : undefined
}
