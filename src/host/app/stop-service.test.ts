import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnedTimers } from '../outside/testing/timers.ts'
import { readConfig } from './config.ts'
import { SHUTDOWN_MS_MAX } from './drain.ts'
import { drainService } from './stop-service.ts'

const DRAIN_SECONDS = 5
const PARTS = ['delivery', 'rotation', 'background', 'requestLog', 'tracing', 'store'] as const

type Part = (typeof PARTS)[number]

for (const hanging of [...PARTS.map((part) => [part]), PARTS])
  test(`a shutdown ends within its time, and ends the vault, where ${hanging.join(', ')} never ends`, async () => {
    const { ms, ended } = await aShutdown(hanging)
    assert.ok(ms < DRAIN_SECONDS * 1_000 + SHUTDOWN_MS_MAX, `${ms} ms`)
    assert.deepEqual(
      ended,
      [...PARTS.filter((part) => !hanging.includes(part)), 'outbound', 'vault'].toSorted(),
    )
  })

test('a shutdown in which nothing hangs takes the lame-duck time only', async () => {
  const { ms } = await aShutdown([])
  assert.equal(ms, DRAIN_SECONDS * 1_000)
})

const STEP_MS = 250
/** Far beyond every time of a shutdown. */
const HANGS_AFTER_MS = 300_000

/** Stops a service of which these parts never end: the time that passed, and what was ended. */
async function aShutdown(hanging: readonly Part[]) {
  let now = 0
  let isStopped = false
  const timers = turnedTimers(() => now)
  const ended: string[] = []
  const end = (part: Part) => async (): Promise<void> => {
    if (hanging.includes(part)) await new Promise(() => undefined)
    ended.push(part)
  }
  const stopping = drainService(
    {
      config: readConfig({ CLAVIGER_DRAIN_SECONDS: String(DRAIN_SECONDS) }, '/'),
      log: () => undefined,
      running: {
        isDraining: false,
        servers: [],
        streams: undefined,
        delivery: { stop: end('delivery') },
        rotation: { stop: end('rotation') },
        background: [{ stop: end('background') }],
        requestLog: { close: end('requestLog') },
        tracing: { close: end('tracing') },
      },
      observed: { machine: { end: () => undefined } },
      outbound: { close: () => void ended.push('outbound') },
      store: { engine: 'postgres', close: end('store') },
      vault: { end: async () => void ended.push('vault') },
    },
    timers,
  ).then(() => {
    isStopped = true
  })
  for (; !isStopped && now < HANGS_AFTER_MS; now += isStopped ? 0 : STEP_MS) {
    timers.turn()
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.ok(isStopped, 'it never stops')
  await stopping
  return { ms: now, ended: ended.toSorted() }
}
