import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { eventually } from '../support/eventually.ts'
import { type ConsoleSetting, consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest('a stream that says nothing any more is opened anew', async (setting) => {
  const page = await withOwnStream(setting, 'silent')
  await eventually(async () => (await page.evaluate('streams')) === 1)
  await page.clock.fastForward(50_000)
  await page.evaluate("tell(': \\n\\n')")
  await page.clock.fastForward(50_000)
  assert.equal(await page.evaluate('streams'), 1)
  await page.clock.fastForward(70_000)
  await page.clock.fastForward(10_000)
  await eventually(async () => (await page.evaluate('streams')) === 2)
})

consoleTest(
  'changes in a row neither pile up requests nor keep the page from its answer',
  async (setting) => {
    const page = await withOwnStream(setting, 'silent')
    await page.locator('ul.cards > li').first().waitFor()
    const held: (() => void)[] = []
    await page.route('**/list_activity_summaries', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    for (let change = 0; change < 10; change++) {
      await page.evaluate("tell('event: activity\\n\\n')")
      await page.clock.fastForward(2_000)
    }
    await eventually(
      () => held.length > 0,
      () => 'nothing was asked',
    )
    assert.equal(held.length, 1)
    await setting.root.client.createUserTag(
      setting.root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Meanwhile', userIds: [] }),
    )
    present(held[0], 'the request')()
    await page.getByText('Meanwhile').waitFor()
    await eventually(
      () => held.length === 2,
      () => `${held.length} requests`,
    )
    present(held[1], 'the request')()
  },
)

consoleTest('a page looks at changes once a second, however many there are', async (setting) => {
  const page = await withOwnStream(setting, 'silent')
  await eventually(async () => (await page.evaluate('streams')) === 1)
  // Half of the time after which a silent stream is taken for dead.
  await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 30_000)
  let answered = 0
  await page.route('**/query/list_activity_summaries', async (route) => {
    await route.fulfill({ response: await route.fetch() })
    answered += 1
  })
  let looks = 0
  for (let tenths = 1; tenths <= 50; tenths++) {
    await page.evaluate("tell('event: activity\\n\\n')")
    await page.clock.runFor(100)
    const before = looks
    // After 0.2 seconds, and then each second.
    looks = tenths <= 2 ? 0 : Math.ceil((tenths - 2) / 10)
    if (looks > before) await eventually(() => answered === looks)
    // What the page asks for comes before what it is asked for here.
    await page.evaluate("fetch('./').then((answer) => answer.text())")
    assert.equal(answered, looks, `after ${tenths} tenths of a second`)
  }
  await page.clock.resume()
})

consoleTest('streams that broke leave nothing behind', async (setting) => {
  const page = await withOwnStream(setting, 'broken')
  const reconnected = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time++) await page.clock.fastForward(6_000)
    return await listeners(page)
  }
  const before = await reconnected(5)
  const streams = Number(await page.evaluate('streams'))
  const after = await reconnected(20)
  assert.ok(Number(await page.evaluate('streams')) >= streams + 15)
  assert.ok(after <= before + 5, `${before} listeners, and then ${after}`)
})

consoleTest('an answer that has not come after two minutes is not waited for', async (setting) => {
  const page = await setting.signedIn('/messages')
  await page.getByRole('heading', { name: 'Messages' }).waitFor()
  await page.clock.install()
  // The timer of the browser is none of the clock of the test.
  await page.evaluate(`
    AbortSignal.timeout = (ms) => {
      const stop = new AbortController()
      setTimeout(() => stop.abort(new DOMException('', 'TimeoutError')), ms)
      return stop.signal
    }
  `)
  let asked = 0
  await page.route('**/query/list_wallets', () => {
    asked += 1
  })
  await page.getByRole('link', { name: 'Wallets and keys' }).click()
  await eventually(() => asked === 1)
  // The other question of this page is answered: under load, it would run out of time too.
  await page.getByText('There are no private keys outside wallets.').waitFor()
  await page.clock.fastForward(119_000)
  await page.getByText('Loading …').first().waitFor()
  await page.clock.fastForward(2_000)
  await page.getByText('The service cannot be reached').waitFor()
  await page.unroute('**/query/list_wallets')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The service cannot be reached').waitFor({ state: 'detached' })
})

consoleTest('a session ends by the time of day, also on a laptop that was asleep', async (setting) => {
  const page = await setting.signedIn('/messages')
  await page.clock.install()
  await page.reload()
  await page.getByRole('heading', { name: 'Messages' }).waitFor()
  await page.clock.runFor(60_000)
  await page.getByRole('heading', { name: 'Messages' }).waitFor()
  // Asleep: no timer goes on.
  await page.clock.setSystemTime(Date.now() + 9 * 60 * 60 * 1_000)
  await page.clock.runFor(60_000)
  await page.getByText('Your session has ended').waitFor()
})

/** The list of activities under a clock of the test, with a stream that the test writes, or that ends at once. */
async function withOwnStream(setting: ConsoleSetting, kind: 'silent' | 'broken'): Promise<Page> {
  const page = await setting.signedIn('/activities')
  await page.clock.install()
  await page.addInitScript(`
    globalThis.streams = 0
    const real = globalThis.fetch
    globalThis.fetch = (path, request) => {
      if (!String(path).startsWith('/public/v1/stream/')) return real(path, request)
      globalThis.streams += 1
      const body = new ReadableStream({
        start: (stream) => {
          if (${JSON.stringify(kind)} === 'broken') return stream.close()
          globalThis.tell = (text) => stream.enqueue(new TextEncoder().encode(text))
          request.signal.addEventListener('abort', () => stream.error(request.signal.reason))
        },
      })
      return Promise.resolve(new Response(body))
    }
  `)
  await page.reload()
  await page.locator('ul.cards > li').first().waitFor()
  return page
}

async function listeners(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  await devtools.detach()
  return present(
    metrics.find(({ name }) => name === 'JSEventListeners'),
    'a figure of Chromium',
  ).value
}
