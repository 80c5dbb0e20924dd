import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Seeded, seeded } from '../support/seeded.ts'
import { checkAfterRestart } from './after-restart.ts'
import { audit, countsOf } from './audit.ts'
import type { Entry } from './ledger.ts'
import { loadUntilGone, type People } from './load.ts'
import { type Point, points } from './points.ts'
import { prepare } from './prepare.ts'
import { checkQuotas, setQuotas } from './quotas.ts'
import { type ServiceProcess, type StartOf, startProcess } from './service-process.ts'
import { through } from './through.ts'

const FROM_OUTSIDE = 3

/** How many places a life is ended at before any comes again. */
export const PLACES = points.length + FROM_OUTSIDE

export type Life = {
  readonly kills: number
  readonly requests: number
  readonly slowestStartMs: number
  /** Answers that should not have come, with what was asked. */
  readonly unexpected: readonly string[]
}

/**
 * One data folder from its first start, through so many kills, to the audit of what it holds. Where and when it is
 * killed follows from the seed; what the machine makes of it does not.
 */
export async function liveThrough(of: {
  readonly kills: number
  readonly seed: string
  readonly databaseUrl?: string
  /** Whether the operator has set quotas, so that all that is done is counted. */
  readonly isCounted?: boolean
  readonly onKill?: () => void
}): Promise<Life> {
  const { databaseUrl, isCounted = false, kills, seed } = of
  const dataFolder = mkdtempSync(join(tmpdir(), 'claviger-crash-'))
  const environment = { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) }
  const random = seeded(seed)
  try {
    const people = await prepare(environment, random)
    const data = { ...environment, organizationId: people.organizationId }
    const before = await countsOf(data)
    const setAt = Date.now()
    const counted = isCounted ? await setQuotas(data) : undefined
    const ledger: Entry[] = []
    const unexpected: string[] = []
    const report = (answer: string): void => void unexpected.push(answer)
    let checked = 0
    let slowestStartMs = 0
    const next = starts(random)
    for (let kill = 0; kill < kills; kill++) {
      const start = next.next().value
      const service = await startProcess(start, environment)
      slowestStartMs = Math.max(slowestStartMs, service.startedInMs)
      checked = await round(service, start, { people, ledger, random, checked, report })
      of.onKill?.()
    }
    const last = await startProcess({ kind: 'command', command: 'serve' }, environment)
    await through(last.url, async (to) => assert.ok(await checkAfterRestart(to, ledger)))
    process.kill(last.pid, 'SIGTERM')
    assert.equal(await last.ended, 0, 'a service that is told to stop drains and ends well')
    await audit({ ...data, before, ledger })
    if (counted !== undefined) await checkQuotas(data, { ledger, before: counted, setAt })
    return { kills, requests: ledger.length, slowestStartMs, unexpected }
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error })
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

type Going = {
  readonly people: People
  readonly ledger: Entry[]
  readonly random: Seeded
  /** How many entries of the ledger have been seen to be answered the same after a restart. */
  readonly checked: number
  readonly report: (unexpected: string) => void
}

/** From a start to a kill; what the last kill may have left undone is checked first. */
async function round(service: ServiceProcess, start: StartOf, going: Going): Promise<number> {
  const { people, ledger, random, report } = going
  const isRunning = service.isRunning
  const seen = ledger.length
  const checked = await through(service.url, async (to) => {
    // A point may be passed while this goes on: then the next round begins here again.
    const isChecked = await checkAfterRestart(to, ledger.slice(going.checked))
    const timer = start.kind === 'point' ? undefined : setTimeout(() => killHost(service), random.below(60))
    if (isChecked) await loadUntilGone(to, people, ledger, { random, isRunning, report })
    clearTimeout(timer)
    return isChecked ? seen : going.checked
  })
  const code = await service.ended
  const expected = start.kind === 'point' && start.point.startsWith('vault') ? 1 : null
  assert.equal(code, expected, 'a host ends itself when its vault is gone, and only then')
  return checked
}

function killHost(service: ServiceProcess): void {
  if (service.isRunning()) process.kill(service.pid, 'SIGKILL')
}

/**
 * Every point, where it is passed up to the fortieth time, and three kills from outside; in an order drawn anew each
 * time around.
 */
function* starts(random: Seeded): Generator<StartOf, never> {
  for (;;) {
    const waiting: (Point | undefined)[] = [
      ...points,
      ...Array.from({ length: FROM_OUTSIDE }, () => undefined),
    ]
    while (waiting.length > 0) {
      const [point] = waiting.splice(random.below(waiting.length), 1)
      yield point === undefined
        ? { kind: 'command', command: 'serve' }
        : { kind: 'point', point, count: 1 + random.below(40) }
    }
  }
}
