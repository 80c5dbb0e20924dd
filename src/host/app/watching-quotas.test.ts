import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnedTimers, until } from '../outside/testing/timers.ts'
import { carryOutQuotas } from '../quotas/quota-orders.ts'
import { EVERY_ORGANIZATION } from '../store/quotas/settings.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { aRecord, aRequest } from '../store/testing/fixtures.ts'
import { startWatchingQuotas } from './watching-quotas.ts'

const LOOK_MS = 5 * 60_000
const ORGANIZATIONS = 250

test('a scrape says what the last look has found, reads nothing, and a look rests between its pages', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(store.close)
  let time = Date.UTC(2026, 10, 23)
  const timers = turnedTimers(() => time)
  let scans = 0
  const troubles: unknown[] = []
  const watch = startWatchingQuotas({
    store: {
      quotas: store.quotas,
      scan: (...asked) => {
        scans += 1
        // Each page takes 10 ms.
        time += 10
        return store.scan(...asked)
      },
    },
    world: { now: () => time, elapsed: () => time },
    timers,
    onTrouble: (error) => troubles.push(error),
  })
  const turned = async (ms: number) => {
    time += ms
    timers.turn()
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(watch.text(), '')
  await turned(0)
  assert.match(watch.text(), /^claviger_quota_organizations\{quota="requests",state="full"\} 0$/m)
  assert.equal(scans, 1, 'without counts nothing but the end is read')
  scans = 0

  const order = { do: 'set', subject: EVERY_ORGANIZATION, change: { requests: 5 } } as const
  await carryOutQuotas(store, order, time)
  const uses = async (organizationId: string, requests: number): Promise<void> => {
    for (let n = 0; n < requests; n++) {
      const row = aRequest(n, { organizationId })
      const charge = {
        organizationIds: [organizationId],
        requests: 1,
        cost: 1,
        isBound: true,
        now: time,
      } as const
      const done = await store.commit({ ...aRecord(row), charge })
      assert.equal(done.kind, 'committed')
    }
  }
  for (let n = 0; n < ORGANIZATIONS; n++) await uses(`org ${n}`, n === 7 ? 5 : n === 8 ? 4 : 1)
  await turned(LOOK_MS)
  assert.equal(scans, 1)
  await turned(39)
  assert.equal(scans, 1, 'it rests four times as long as the page has taken')
  assert.match(watch.text(), /state="full"\} 0$/m)
  for (let pages = 2; !watch.text().includes('state="full"} 1'); pages++) {
    await turned(40)
    assert.ok(scans <= pages, `${scans} pages in ${pages} turns`)
  }
  const requests = () =>
    [...watch.text().matchAll(/quota="requests",state="(\w+)"\} (\d+)/g)].map(
      (found) => `${found[1]} ${found[2]}`,
    )
  assert.deepEqual(requests(), ['full 1', 'nearly_full 1'])
  const near = await carryOutQuotas(store, { do: 'near' }, time)
  assert.deepEqual(near, {
    kind: 'near',
    full: 1,
    nearlyFull: 1,
    subjects: [
      { subject: 'org 7', uses: [{ quota: 'requests', most: 5, used: 5 }] },
      { subject: 'org 8', uses: [{ quota: 'requests', most: 5, used: 4 }] },
    ],
  })
  const before = scans
  for (let scrapes = 0; scrapes < 100; scrapes++) watch.text()
  assert.equal(scans, before)

  // On the next day nobody has used anything.
  await turned(24 * 60 * 60_000)
  await until(async () => {
    await turned(40)
    return requests().join() === 'full 0,nearly_full 0'
  }, 'the next look')
  await watch.stop()
  const ended = scans
  await turned(LOOK_MS)
  assert.equal(scans, ended)
  assert.deepEqual(troubles, [])
})
