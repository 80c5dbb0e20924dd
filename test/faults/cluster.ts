import { chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { present } from '../../src/trusted/base/assert.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { postgresAccount, postgresPrograms } from '../support/postgres.ts'
import { type Network, openNetwork } from './network.ts'
import { startNoted } from './noted-process.ts'
import { copyScript, patroniSettings, startScript } from './patroni-settings.ts'
import { isThere, keeperOf, signalAll } from './process-tree.ts'

const MACHINES = ['pg1', 'pg2'] as const
export const KEEPERS = ['etcd1', 'etcd2', 'etcd3'] as const
type MachineName = (typeof MACHINES)[number]
type KeeperName = (typeof KEEPERS)[number]

/** A machine of the database: PostgreSQL, and Patroni beside it. */
export type Machine = {
  readonly name: MachineName
  readonly patroni: () => readonly number[]
  /** The postmaster; empty while there is none. */
  readonly postgres: () => readonly number[]
  /** Starts what does not run. */
  readonly start: () => void
  /** Begins to copy its server anew from the primary. */
  readonly copyAnew: () => void
}

type Etcd = {
  readonly name: KeeperName
  readonly pids: () => readonly number[]
  readonly start: () => void
}

export type Cluster = {
  readonly network: Network
  readonly machines: readonly Machine[]
  readonly etcds: readonly Etcd[]
  /** The address of the database for one of the hosts of the service: both servers, each over a link of that host. */
  readonly urlFor: (host: string) => string
  /** The machine whose server takes writes, as Patroni says. */
  readonly primary: () => Promise<Machine>
  /** Resolves when there are a primary and a standby that confirms its commits. */
  readonly whole: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Two machines with PostgreSQL under Patroni, and three with etcd; all of them on this one, joined by links that can be
 * cut.
 */
export async function startCluster(hosts: readonly string[]): Promise<Cluster> {
  const owner = present(postgresAccount(), 'a user for PostgreSQL')
  const bin = present(postgresPrograms(), 'PostgreSQL')
  const folder = mkdtempSync(join(tmpdir(), 'claviger-faults-'))
  const own = (path: string): string => {
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(path, owner.uid, owner.gid)
    return path
  }
  own(folder)
  for (const name of ['processes', ...MACHINES, ...KEEPERS]) {
    mkdirSync(join(folder, name), { mode: 0o700 })
    own(join(folder, name))
  }
  const stop = keeperOf(folder)
  const ports = new Map<string, number>()
  for (const name of [...MACHINES.flatMap((machine) => [machine, `${machine} api`]), ...KEEPERS])
    ports.set(name, await freePort())
  const portOf = (name: string): number => present(ports.get(name), 'a port')
  const network = await openNetwork(ways(hosts), portOf)

  const run = (name: string, command: readonly [string, ...string[]]) => {
    const out = openSync(join(folder, name, 'log'), 'a')
    return startNoted(folder, command, {
      ...owner,
      cwd: folder,
      env: { PATH: `${bin}:${process.env['PATH']}`, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', out, out],
    }).pid
  }

  const peers = new Map<string, number>()
  for (const name of KEEPERS) peers.set(name, await freePort())
  const peerUrl = (name: string): string => `http://127.0.0.1:${peers.get(name)}`
  const etcds = KEEPERS.map((name): Etcd => {
    let pid: number | undefined
    const client = `http://127.0.0.1:${portOf(name)}`
    const pids = (): readonly number[] => (pid !== undefined && isThere(pid) ? [pid] : [])
    const settings = {
      name,
      'data-dir': join(folder, name, 'data'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peerUrl(name),
      'initial-advertise-peer-urls': peerUrl(name),
      'initial-cluster': KEEPERS.map((one) => `${one}=${peerUrl(one)}`).join(','),
      'heartbeat-interval': '200',
      'election-timeout': '1500',
      'enable-v2': 'true',
      'log-level': 'warn',
    }
    const start = (): void => {
      if (pids().length > 0) return
      pid = run(name, ['etcd', ...Object.entries(settings).map(([key, value]) => `--${key}=${value}`)])
    }
    return { name, pids, start }
  })
  const machines = MACHINES.map((name): Machine => {
    const data = join(folder, name, 'data')
    const other = present(
      MACHINES.find((one) => one !== name),
      'the other machine',
    )
    const settings = join(folder, name, 'patroni.yml')
    const port = (to: string): number => network.link(other, to).port
    writeFileSync(
      settings,
      patroniSettings({
        name,
        data,
        bin,
        port: portOf(name),
        apiPort: portOf(`${name} api`),
        shownPort: port(name),
        shownApiPort: port(`${name} api`),
        etcds: KEEPERS.map((one) => `127.0.0.1:${network.link(name, one).port}`),
      }),
    )
    own(settings)
    const script = join(folder, name, 'start-patroni.sh')
    writeFileSync(script, startScript({ data, bin, settings }))
    own(script)
    const copying = join(folder, name, 'copy-standby.sh')
    writeFileSync(copying, copyScript({ settings, name }))
    own(copying)
    let pid: number | undefined
    const patroni = (): readonly number[] => (pid !== undefined && isThere(pid) ? [pid] : [])
    return {
      name,
      patroni,
      postgres: () => postmasterOf(data),
      start: () => {
        if (patroni().length === 0) pid = run(name, ['sh', script])
      },
      copyAnew: () => void run(name, ['sh', copying]),
    }
  })

  const said = async (name: string): Promise<Said | undefined> => {
    try {
      const answer = await fetch(`http://127.0.0.1:${portOf(`${name} api`)}/cluster`, {
        signal: AbortSignal.timeout(1_000),
      })
      // What the documentation of Patroni says of this answer.
      return (await answer.json()) as Said
    } catch {
      return undefined
    }
  }
  const whole = async (): Promise<void> => {
    await eventually(
      async () => {
        const all = await Promise.all(MACHINES.map(said))
        return all.every((one) => one !== undefined && isWhole(one))
      },
      () => `the cluster did not become whole: ${logs(folder)}`,
    )
  }
  const primary = async (): Promise<Machine> => {
    const [first] = (await Promise.all(MACHINES.map(said)))
      .flatMap((one) => one?.members ?? [])
      .filter(({ role }) => role === 'leader')
    return present(
      machines.find(({ name }) => name === first?.name),
      'a primary',
    )
  }

  const stopAll = async (): Promise<void> => {
    for (const { patroni, postgres } of machines) signalAll([...patroni(), ...postgres()], 'SIGKILL')
    await stop()
    await network.close()
  }
  try {
    for (const etcd of etcds) etcd.start()
    // Patroni 3.0.2 ends where etcd has not agreed on its version yet.
    await eventually(
      async () => (await Promise.all(KEEPERS.map((name) => hasVersion(portOf(name))))).every(Boolean),
      () => `etcd did not become whole: ${logs(folder)}`,
    )
    for (const machine of machines) machine.start()
    await whole()
  } catch (error) {
    await stopAll()
    throw error
  }
  return {
    network,
    machines,
    etcds,
    urlFor: (host) => {
      const servers = MACHINES.map((machine) => `127.0.0.1:${network.link(host, machine).port}`)
      return `postgres://claviger@${servers.join(',')}/postgres?target_session_attrs=read-write`
    },
    primary,
    whole,
    stop: stopAll,
  }
}

async function hasVersion(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/version`, { signal: AbortSignal.timeout(1_000) })
    return !(await answer.text()).includes('not_decided')
  } catch {
    return false
  }
}

type Said = {
  readonly members: readonly {
    readonly name: string
    readonly role: string
    readonly state: string
    readonly timeline?: number
  }[]
}

function isWhole({ members }: Said): boolean {
  const [leader] = members.filter(({ role, state }) => role === 'leader' && state === 'running')
  const [standby] = members.filter(
    ({ role, state }) => role === 'sync_standby' && ['running', 'streaming'].includes(state),
  )
  return leader !== undefined && standby !== undefined && leader.timeline === standby.timeline
}

/**
 * Every way that anything takes: from a host to both servers, between the machines, and from each of these to each
 * etcd.
 */
function ways(hosts: readonly string[]): readonly (readonly [from: string, to: string])[] {
  const across = MACHINES.flatMap((from) => {
    const [to] = MACHINES.filter((one) => one !== from)
    return to === undefined
      ? []
      : ([
          [from, to],
          [from, `${to} api`],
        ] as const)
  })
  const toEtcd = MACHINES.flatMap((from) => KEEPERS.map((to) => [from, to] as const))
  return [...hosts.flatMap((host) => MACHINES.map((to) => [host, to] as const)), ...across, ...toEtcd]
}

function postmasterOf(data: string): readonly number[] {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    return isThere(pid) ? [pid] : []
  } catch {
    return []
  }
}

function logs(folder: string): string {
  return [...MACHINES, ...KEEPERS]
    .filter((name) => existsSync(join(folder, name, 'log')))
    .map((name) => `\n== ${name}\n${readFileSync(join(folder, name, 'log'), 'utf8').slice(-2_000)}`)
    .join('')
}
