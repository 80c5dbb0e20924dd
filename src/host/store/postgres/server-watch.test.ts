import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { openLink } from '../../../../test/faults/link.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../../../../test/support/postgres.ts'
import { watchServers } from './server-watch.ts'
import { type Servers, servers } from './servers.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }
const NOBODY = 'postgres://nobody@127.0.0.1:1/none'

test('of two addresses of one server the used one is kept, and its connections', options, async (t) => {
  const [one, other] = [await freshDatabase(), await freshDatabase()]
  for (const used of [one, other]) {
    const { where, seen, tick } = await watching(t, [one, other], { used })
    for (let n = 1; n < 3; n++) {
      const before = seen.looks
      tick()
      await eventually(() => seen.looks >= before + 2)
    }
    assert.equal(where.current(), used)
    assert.deepEqual(seen.broken, [])
    assert.deepEqual(seen.uses, [])
  }
})

test('the primary is found behind an address where nobody answers', options, async (t) => {
  const address = await freshDatabase()
  const { where } = await watching(t, [NOBODY, address])
  assert.equal(where.current(), address)
})

test('a server that is silent at three checks is given up, and asked anew', options, async (t) => {
  const { address, link } = await linked(t)
  const { seen, tick } = await watching(t, [address])
  link.set({ kind: 'cut' })
  // At the first tick the server is asked.
  for (const times of [1, 2]) {
    for (let n = 0; n < 3; n++) tick()
    assert.equal(seen.broken.length, times - 1)
    tick()
    assert.deepEqual(
      seen.broken,
      Array.from({ length: times }, () => 'the server does not answer'),
    )
  }
  link.set({ kind: 'open' })
  const before = seen.looks
  tick()
  await eventually(() => seen.looks > before)
  tick()
  assert.equal(seen.broken.length, 2)
})

test('a server that answers slowly, piece by piece, is not given up while it answers', options, async (t) => {
  const { address, hold, passed } = await inPieces(t)
  const { seen, tick } = await watching(t, [address])
  hold()
  for (let n = 0; n < 4; n++) tick()
  assert.equal(seen.broken.length, 1)
  // It is connected to anew, and answers each time before the third check in silence.
  const { looks } = seen
  for (let pieces = 0; seen.looks === looks; pieces++) {
    for (let n = 0; n < 2; n++) tick()
    assert.equal(seen.broken.length, 1, `after ${pieces} pieces`)
    await passed(() => seen.looks > looks)
  }
})

test('a start waits for its only server, and not for one of several', options, async (t) => {
  for (const others of [[], [NOBODY]]) {
    const { address, link } = await linked(t)
    const { seen, tick } = await watching(t, [address, ...others], { isStarting: true })
    link.set({ kind: 'cut' })
    for (let n = 0; n < 4; n++) tick()
    assert.equal(seen.broken.length, others.length)
  }
})

test('in place of a server that is silent another one is used', options, async (t) => {
  const { address, link } = await linked(t)
  const other = await freshDatabase()
  const { where, tick } = await watching(t, [address, other], { used: address })
  link.set({ kind: 'cut' })
  for (let n = 0; n < 4; n++) tick()
  await eventually(() => {
    tick()
    return where.current() === other
  })
})

test('a server that could not be reached is asked anew at the next check', options, async (t) => {
  const address = await freshDatabase()
  const later = new URL(address)
  later.pathname = `${later.pathname}_later`
  const { seen, tick } = await watching(t, [later.href])
  assert.equal(seen.looks, 0)
  const operator = new pg.Client({ connectionString: address })
  await operator.connect()
  await operator.query(`CREATE DATABASE "${later.pathname.slice(1)}"`)
  await operator.end()
  tick()
  await eventually(() => seen.looks > 0)
})

test('after its end a watch asks nobody', options, async (t) => {
  const { seen, tick, stop } = await watching(t, [await freshDatabase()])
  stop()
  const { looks } = seen
  for (let n = 0; n < 5; n++) tick()
  // A watch of the same kind has an answer meanwhile.
  await watching(t, [await freshDatabase()])
  assert.equal(seen.looks, looks)
})

/** A watch whose ticks are those of the test, after its first look; and what it does with the servers. */
async function watching(
  t: TestContext,
  addresses: readonly string[],
  { used, isStarting = false }: { readonly used?: string; readonly isStarting?: boolean } = {},
) {
  const seen = { looks: 0, broken: [] as string[], uses: [] as string[] }
  const where = servers(addresses)
  const watched: Servers = {
    ...where,
    isBehind: (server) => {
      seen.looks += 1
      return where.isBehind(server)
    },
    use: (address) => {
      seen.uses.push(address)
      where.use(address)
    },
    breakOff: (why) => void seen.broken.push(why),
  }
  t.mock.timers.reset()
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { first, stop } = watchServers(watched, {
    everyMs: 1_000,
    name: 'claviger watch',
    isStarting: () => isStarting,
  })
  t.after(stop)
  await first
  if (used !== undefined) where.use(used)
  seen.uses.length = 0
  return { where, seen, tick: () => t.mock.timers.tick(1_000), stop }
}

/** An address of a database, over a way that can be cut. */
async function linked(t: TestContext) {
  const url = new URL(await freshDatabase())
  const link = await openLink(Number(url.port))
  t.after(() => link.close())
  url.port = String(link.port)
  return { address: url.href, link }
}

/** An address of a database whose answers can be held, and then pass one by one. */
async function inPieces(t: TestContext) {
  const url = new URL(await freshDatabase())
  let held: { readonly near: Socket; readonly chunk: Buffer }[] = []
  const ends: Socket[] = []
  let isHolding = false
  let asked = 0
  const server = createServer((near) => {
    const far = connect(Number(url.port), '127.0.0.1')
    ends.push(near, far)
    for (const end of [near, far]) end.on('error', () => undefined)
    near.on('data', (chunk) => {
      asked += 1
      far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      if (!isHolding) near.write(chunk)
      else if (!near.destroyed) held.push({ near, chunk })
    })
    near.on('close', () => {
      far.destroy()
      held = held.filter((one) => one.near !== near)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const end of ends) end.destroy()
  })
  const way = new URL(url)
  // A server that listens at a port has an address with it.
  way.port = String((server.address() as AddressInfo).port)
  return {
    address: way.href,
    hold: () => {
      isHolding = true
    },
    /** Lets the next answer pass, and waits until it was heard: for the next question, or for the end of them. */
    passed: async (isOver: () => boolean): Promise<void> => {
      await eventually(() => held.length > 0)
      const before = asked
      const next = held.shift()
      next?.near.write(next.chunk)
      await eventually(() => asked > before || isOver())
    },
  }
}
