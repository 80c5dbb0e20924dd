import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { pageServer } from '../clients/page-server.ts'
import { pageWhereThereIsChromium, withPage } from './embedding-page.ts'
import { framesServer } from './frames-server.ts'

// Pages that no setting allows: what they get of a frame, and what they reach of one that another page embeds.
const page = pageWhereThereIsChromium()

/** What a stranger does with a frame: it embeds it, and sends it a port as the published client does. */
const STRANGER = `
globalThis.embed = (url) => new Promise((resolve) => {
  const iframe = document.createElement('iframe')
  iframe.addEventListener('load', () => resolve())
  iframe.src = url
  document.body.append(iframe)
})
globalThis.open = (target) => {
  const { port1, port2 } = new MessageChannel()
  globalThis.heard = []
  port1.onmessage = ({ data }) => heard.push(data)
  target.postMessage({ type: 'TURNKEY_INIT_MESSAGE_CHANNEL' }, '*', [port2])
}
addEventListener('message', ({ data, source }) => {
  if (data !== 'attack') return
  open(parent.frames[0])
  source.postMessage('done', '*')
})
`

withPage('a page of another origin, and one within it, does not get to show a frame', page, async (world) => {
  const stranger = await aStranger()
  const visitor = await world.page.page.context().newPage()
  await visitor.goto(stranger)
  for (const name of ['auth', 'export', 'import', 'export-and-sign'])
    await visitor.evaluate(`embed('${world.framesOrigin}/${name}/')`)
  assert.equal(visitor.mainFrame().childFrames().length, 4)
  await areBlocked(visitor.mainFrame())
  await visitor.goto(stranger)
  await visitor.evaluate(`embed('${world.page.origin}')`)
  const [allowed] = visitor.mainFrame().childFrames()
  await allowed?.waitForFunction('globalThis.isReady === true')
  await allowed?.evaluate(`new Promise((resolve) => {
    const iframe = document.body.appendChild(document.createElement('iframe'))
    iframe.addEventListener('load', () => resolve())
    iframe.src = '${world.framesOrigin}/export/'
  })`)
  await areBlocked(present(allowed, 'the allowed page'))
  await visitor.close()
  world.violations.length = 0
})

withPage('a stranger beside a frame cannot take its channel', page, async (world) => {
  const stranger = await aStranger()
  // Also one that may embed frames itself: only the direct parent is heard.
  const terms = { signerKey: world.signer.publicKey, allowedOrigins: [world.page.origin, stranger] }
  const frames = await framesServer(terms)
  after(frames.close)
  const visitor = await world.page.page.context().newPage()
  await visitor.goto(world.page.origin)
  const ready = await visitor.evaluate(`(async () => {
    const loaded = (src) => new Promise((resolve) => {
      const iframe = document.body.appendChild(document.createElement('iframe'))
      iframe.addEventListener('load', () => resolve(iframe.contentWindow))
      iframe.src = src
    })
    const frame = await loaded('${frames.origin}/auth/')
    const beside = await loaded('${stranger}')
    const attacked = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)))
    beside.postMessage('attack', '*')
    await attacked
    const { port1, port2 } = new MessageChannel()
    const ready = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data.type)))
    frame.postMessage({ type: 'TURNKEY_INIT_MESSAGE_CHANNEL' }, '${frames.origin}', [port2])
    return await ready
  })()`)
  assert.equal(ready, 'PUBLIC_KEY_READY')
  const [, beside] = visitor.mainFrame().childFrames()
  assert.deepEqual(await beside?.evaluate('heard'), [])
  await visitor.close()
})

withPage(
  'where a proxy takes the headers away, a frame still opens no channel to a stranger',
  page,
  async (world) => {
    const stranger = await aStranger()
    const terms = { signerKey: world.signer.publicKey, allowedOrigins: [world.page.origin] }
    const bare = await framesServer(terms, { 'content-security-policy': '' })
    after(bare.close)
    const visitor = await world.page.page.context().newPage()
    await countOpenings(visitor)
    await visitor.goto(stranger)
    await visitor.evaluate(`embed('${bare.origin}/export/')`)
    const [frame] = visitor.mainFrame().childFrames()
    await visitor.evaluate('open(frames[0])')
    await frame?.waitForFunction('arrivals > 0')
    assert.equal(await frame?.evaluate('openings'), 0, 'the frame did not begin to open')
    assert.deepEqual(await visitor.evaluate('heard'), [])
    await visitor.close()
  },
)

withPage('a frame that is visited by itself does nothing', page, async (world) => {
  const visitor = await world.page.page.context().newPage()
  await countOpenings(visitor)
  await visitor.goto(`${world.framesOrigin}/export/`)
  const openings = await visitor.evaluate(`new Promise((resolve) => {
    addEventListener('message', () => resolve(openings))
    postMessage({ type: 'TURNKEY_INIT_MESSAGE_CHANNEL' }, '*', [new MessageChannel().port2])
  })`)
  assert.equal(openings, 0)
  await visitor.close()
})

const BLOCKED = 'chrome-error://chromewebdata/'

async function areBlocked(within: Frame): Promise<void> {
  for (const frame of within.childFrames()) await frame.waitForURL(BLOCKED)
}

/** A channel that opens looks for its key at once. */
async function countOpenings(visitor: Page): Promise<void> {
  await visitor.addInitScript(`
    globalThis.openings = 0
    globalThis.arrivals = 0
    addEventListener('message', () => (globalThis.arrivals += 1))
    const open = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (...given) {
      globalThis.openings += 1
      return open.apply(this, given)
    }`)
}

async function aStranger(): Promise<string> {
  const server = await pageServer({ importMap: '{}', files: new Map() }, STRANGER)
  after(server.close)
  return server.origin
}
