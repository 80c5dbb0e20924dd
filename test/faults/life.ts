import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { audit, countsOf } from '../crash/audit.ts'
import { checkAfterRestart } from '../crash/after-restart.ts'
import type { Entry } from '../crash/ledger.ts'
import { loadUntilGone } from '../crash/load.ts'
import { prepare } from '../crash/prepare.ts'
import { builtCommand } from '../support/built-service.ts'
import { eventually } from '../support/eventually.ts'
import { type Seeded, seeded } from '../support/seeded.ts'
import { startCluster } from './cluster.ts'
import { failoverClient } from './failover-client.ts'
import { faults, type Parts } from './faults.ts'
import { superviseHost } from './supervised-host.ts'

/** What came of one fault. */
type Told = {
  readonly fault: string
  readonly lastedMs: number
  /** The longest time in which nothing was acknowledged, from the fault until everything was whole again. */
  readonly silentMs: number
  /** Until everything that was broken ran again. */
  readonly wholeMs: number
  readonly answered: number
}

type FaultLife = {
  readonly told: readonly Told[]
  readonly requests: number
  readonly unexpected: readonly string[]
}

const HOSTS = ['a', 'b']

/**
 * A cluster and two hosts from their start, through the faults, to the audit of what the database holds. After each
 * fault all that was sent since the one before is sent once more, byte for byte, and has to be answered as it was.
 *
 * @param names  the faults, in order
 */
export async function liveThroughFaults(of: {
  readonly names: readonly string[]
  readonly seed: string
  readonly onFault?: (told: Told) => void
}): Promise<FaultLife> {
  const random = seeded(of.seed)
  const folder = mkdtempSync(join(tmpdir(), 'claviger-fault-hosts-'))
  // Building the service blocks this process for seconds, and with it the links: a cluster would fall apart.
  await builtCommand()
  const cluster = await startCluster(HOSTS)
  const unexpected: string[] = []
  try {
    const dataFolder = (host: string): string => join(folder, host)
    const environment = { dataFolder: dataFolder('a'), databaseUrl: cluster.urlFor('a') }
    const people = await prepare(environment, random)
    const data = { ...environment, organizationId: people.organizationId }
    const before = await countsOf(data)
    mkdirSync(dataFolder('b'), { mode: 0o700 })
    copyFileSync(join(dataFolder('a'), 'root.key'), join(dataFolder('b'), 'root.key'))
    const hosts = HOSTS.map((name) =>
      superviseHost(name, { dataFolder: dataFolder(name), databaseUrl: cluster.urlFor(name) }),
    )
    const ledger: Entry[] = []
    const told: Told[] = []
    try {
      for (const name of of.names) {
        const seen = ledger.length
        told.push(
          await underLoad(
            name,
            { cluster, hosts, random },
            {
              people,
              ledger,
              report: (answer) => void unexpected.push(`${name}: ${answer}`),
            },
          ),
        )
        await checkEach(hosts, ledger.slice(seen))
        of.onFault?.(told.at(-1) as Told)
      }
    } finally {
      await Promise.all(hosts.map((host) => host.stop()))
    }
    await audit({ ...data, before, ledger })
    return { told, requests: ledger.length, unexpected }
  } catch (error) {
    throw new Error([`seed ${of.seed}`, ...unexpected].join('\n'), { cause: error })
  } finally {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Going = {
  readonly people: Parameters<typeof loadUntilGone>[1]
  readonly ledger: Entry[]
  readonly report: (unexpected: string) => void
}

async function underLoad(name: string, parts: Parts, going: Going): Promise<Told> {
  const fault = faults.find((one) => one.name === name)
  if (fault === undefined) throw new Error(`there is no fault "${name}"`)
  const { hosts, cluster, random } = parts
  const answers: { readonly at: number; readonly host: string }[] = []
  const client = failoverClient(hosts, (host) => answers.push({ at: performance.now(), host }))
  let isGoing = true
  const load = loadUntilGone(client, going.people, going.ledger, {
    random,
    isRunning: () => isGoing,
    report: going.report,
  })
  const bothAnswer = async (since: number): Promise<void> =>
    await eventually(() =>
      hosts.every(({ name: host }) => answers.some((one) => one.host === host && one.at > since)),
    )
  try {
    await bothAnswer(0)
    const began = performance.now()
    const { heal } = await fault.inject(parts)
    await sleep(lastsMs(random))
    heal()
    const healed = performance.now()
    await cluster.whole()
    await bothAnswer(performance.now())
    const ended = performance.now()
    const times = [began, ...answers.map(({ at }) => at).filter((at) => at > began), ended]
    const silences = times.slice(1).map((at, n) => at - (times[n] ?? at))
    return {
      fault: name,
      lastedMs: healed - began,
      silentMs: Math.max(...silences),
      wholeMs: ended - healed,
      answered: times.length - 2,
    }
  } finally {
    isGoing = false
    client.stop()
    await load
    client.close()
  }
}

/** For what hangs: a busy machine may take long. */
const HANGS_AFTER_MS = 180_000

/** Longer than a failover takes, or shorter. */
function lastsMs(random: Seeded): number {
  return 1_000 + random.below(10_000)
}

async function checkEach(hosts: Parts['hosts'], entries: readonly Entry[]): Promise<void> {
  const client = failoverClient(hosts, () => undefined)
  const hangs = setTimeout(() => client.stop(), HANGS_AFTER_MS)
  try {
    if (!(await checkAfterRestart(client, entries)))
      throw new Error('after it had become whole, the service answered no more')
  } finally {
    clearTimeout(hangs)
    // Where one answer was wrong, the others that are still asked for would be for ever.
    client.stop()
    client.close()
  }
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
