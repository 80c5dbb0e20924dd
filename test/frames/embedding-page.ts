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
  /**
   * Sends any message on the channel of that frame, and another one after it: type and value of the answer. A frame
   * answers in order, so that one which answers the second alone has passed over the first.
   */
  readonly send: Send
  /**
   * The same for a message that a frame has to answer before it hears the next one. As many follow as a frame lets
   * wait, so that it refuses the last of them where it still waits for the first.
   */
  readonly sendUnknown: Send
  /** What browsers say of a page that does what its policy forbids. */
  readonly violations: string[]
  /** The document of that frame, which only the test can look into. */
  readonly frame: () => Frame
}

type Send = (message: object) => Promise<readonly [type: string, value: unknown]>

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
let sent = 0
globalThis.send = (message, more) => new Promise((resolve, reject) => {
  const { port1 } = stamper.messageChannel
  const [id, ids] = ['asked-' + ++sent, Array.from({ length: more }, () => 'after-' + ++sent)]
  const waiting = new Set(ids)
  let answer
  const heard = ({ data: { type, value, requestId } }) => {
    if (requestId === id) answer = [type, value]
    const isAfter = waiting.delete(requestId)
    if (isAfter && answer === undefined) reject(new Error('the frame has not answered ' + String(message.type)))
    // Of many the last ones are heard too, so that the next message does not wait behind them.
    if (answer === undefined ? !isAfter : more > 1 && waiting.size > 0) return
    port1.removeEventListener('message', heard)
    resolve(answer)
  }
  port1.addEventListener('message', heard)
  port1.postMessage({ ...message, requestId: id })
  for (const requestId of ids) port1.postMessage({ type: 'GET_EMBEDDED_PUBLIC_KEY', requestId })
})
globalThis.anotherChannel = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => resolve(data)
  stamper.iframe.contentWindow.postMessage({ type: 'TURNKEY_INIT_MESSAGE_CHANNEL' }, stamper.iframeOrigin, [port2])
})
globalThis.openAnd = (url, message) => new Promise((resolve) => {
  const iframe = document.createElement('iframe')
  const { port1, port2 } = new MessageChannel()
  const said = []
  port1.onmessage = ({ data }) => {
    said.push([data.type, data.requestId ?? null])
    if (data.requestId === 'first') resolve(said)
  }
  port1.postMessage({ ...message, requestId: 'first' })
  iframe.onload = () =>
    iframe.contentWindow.postMessage({ type: 'TURNKEY_INIT_MESSAGE_CHANNEL' }, new URL(url).origin, [port2])
  iframe.src = url
  document.body.appendChild(iframe)
})
globalThis.publicKeys = (count) =>
  Promise.all(Array.from({ length: count }, () => stamper.getEmbeddedPublicKey().catch(String)))
`

/** As many messages as a frame lets wait. */
const WAITING_MAX = 100

/** For what hangs: a busy machine may take long. */
const ANSWER_MS_MAX = 45_000

/**
 * Neither the published client nor the browser gives up on a frame, so that a file would wait as long as the runner
 * lets it. After one frame that never answers nothing else is asked in that file.
 */
function hangingOnce(): <T>(name: string, ask: () => Promise<T>) => Promise<T> {
  const hung = Promise.withResolvers<never>()
  // Nobody may be waiting when it is rejected.
  hung.promise.catch(() => {})
  return async (name, ask) => {
    const timer = setTimeout(
      () => hung.reject(new Error(`the frame has not answered ${name}`)),
      ANSWER_MS_MAX,
    )
    return await Promise.race([hung.promise, ask()]).finally(() => clearTimeout(timer))
  }
}

async function embeddingPage(): Promise<EmbeddingPage> {
  const opened = await browserPage(moduleGraph(['@turnkey/iframe-stamper']), SCRIPT)
  const inTime = hangingOnce()
  const page: BrowserPage = {
    ...opened,
    call: (name, ...given) => inTime([name, given[0]].join(' '), () => opened.call(name, ...given)),
  }
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
    send: (message) => page.call('send', message, 1),
    sendUnknown: (message) => page.call('send', message, WAITING_MAX),
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
