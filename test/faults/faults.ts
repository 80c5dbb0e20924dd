import { present } from '../../src/trusted/base/assert.ts'
import type { Seeded } from '../support/seeded.ts'
import { type Cluster, KEEPERS, type Machine } from './cluster.ts'
import type { Way } from './network.ts'
import { signalAll } from './process-tree.ts'
import type { SupervisedHost } from './supervised-host.ts'

/** What goes wrong; each is mended by what it answers. */
type Injected = { readonly heal: () => void }

export type Parts = {
  readonly cluster: Cluster
  readonly hosts: readonly SupervisedHost[]
  readonly random: Seeded
}

type Fault = { readonly name: string; readonly inject: (parts: Parts) => Promise<Injected> }

const SLOW = { kind: 'slow', ms: 150 } as const
const CUT = { kind: 'cut' } as const
const OPEN = { kind: 'open' } as const

/** Each part, killed, stopped, cut off and slowed down. */
export const faults: readonly Fault[] = [
  { name: 'a host is killed', inject: async (parts) => killed(hostOf(parts)) },
  { name: 'a host is stopped', inject: async (parts) => stopped(hostOf(parts)) },
  {
    name: 'a host is cut off from the database',
    inject: async (parts) => onWays(parts, CUT, fromHost(parts)),
  },
  { name: 'a host is cut off from the primary', inject: async (parts) => await hostFromPrimary(parts) },
  { name: 'the database is slow for a host', inject: async (parts) => onWays(parts, SLOW, fromHost(parts)) },
  { name: 'a vault is killed', inject: async (parts) => killed(vaultOf(parts)) },
  { name: 'a vault is stopped', inject: async (parts) => stopped(vaultOf(parts)) },
  {
    name: 'the server of the primary is killed',
    inject: async ({ cluster }) => killed((await cluster.primary()).postgres()),
  },
  {
    name: 'the server of the primary is stopped',
    inject: async ({ cluster }) => stopped((await cluster.primary()).postgres()),
  },
  {
    name: 'Patroni of the primary is killed',
    inject: async ({ cluster }) => agentKilled(await cluster.primary()),
  },
  {
    name: 'Patroni of the primary is stopped',
    inject: async ({ cluster }) => stopped((await cluster.primary()).patroni()),
  },
  {
    name: 'the machine of the primary is lost',
    inject: async ({ cluster }) => machineKilled(await cluster.primary()),
  },
  {
    name: 'the machine of the primary is stopped',
    inject: async ({ cluster }) => stopped(allOf(await cluster.primary())),
  },
  {
    name: 'the machine of the primary is cut off',
    inject: async (parts) => onWays(parts, CUT, at((await parts.cluster.primary()).name)),
  },
  {
    name: 'the primary is cut off from etcd',
    inject: async (parts) => onWays(parts, CUT, toEtcd((await parts.cluster.primary()).name)),
  },
  {
    name: 'the machine of the primary is slow',
    inject: async (parts) => onWays(parts, SLOW, at((await parts.cluster.primary()).name)),
  },
  {
    name: 'the machine of the standby is lost',
    inject: async ({ cluster }) => machineKilled(await standbyOf(cluster)),
  },
  {
    name: 'the machine of the standby is stopped',
    inject: async ({ cluster }) => stopped(allOf(await standbyOf(cluster))),
  },
  {
    name: 'the machine of the standby is cut off',
    inject: async (parts) => onWays(parts, CUT, at((await standbyOf(parts.cluster)).name)),
  },
  {
    name: 'the machine of the standby is slow',
    inject: async (parts) => onWays(parts, SLOW, at((await standbyOf(parts.cluster)).name)),
  },
  {
    name: 'the machines of the database are cut off from each other',
    inject: async (parts) =>
      onWays(parts, CUT, ({ from, to }) => from.startsWith('pg') && to.startsWith('pg')),
  },
  { name: 'an etcd is killed', inject: async (parts) => etcdKilled(parts) },
  {
    name: 'an etcd is stopped',
    inject: async ({ cluster, random }) => stopped(random.pick(cluster.etcds).pids()),
  },
  { name: 'an etcd is cut off', inject: async (parts) => onWays(parts, CUT, at(parts.random.pick(KEEPERS))) },
  {
    name: 'every etcd is slow',
    inject: async (parts) => onWays(parts, SLOW, ({ to }) => to.startsWith('etcd')),
  },
  {
    name: 'every etcd is stopped',
    inject: async ({ cluster }) => stopped(cluster.etcds.flatMap(({ pids }) => pids())),
  },
]

function hostOf({ hosts, random }: Parts): readonly number[] {
  const host = random.pick(hosts).process()
  return host === undefined ? [] : [host.pid]
}

function vaultOf({ hosts, random }: Parts): readonly number[] {
  const host = random.pick(hosts).process()
  return host === undefined ? [] : [host.vaultPid]
}

function allOf({ patroni, postgres }: Machine): readonly number[] {
  return [...patroni(), ...postgres()]
}

async function standbyOf(cluster: Cluster): Promise<Machine> {
  const primary = await cluster.primary()
  return present(
    cluster.machines.find(({ name }) => name !== primary.name),
    'a standby',
  )
}

/** What supervises it starts it again; Patroni the server, the script the others. */
function killed(pids: readonly number[]): Injected {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  return { heal: () => undefined }
}

function stopped(pids: readonly number[]): Injected {
  signalAll(pids, 'SIGSTOP')
  return { heal: () => signalAll(pids, 'SIGCONT') }
}

/** As `kill -9` of an agent that nobody watches: the server goes on. */
function agentKilled({ patroni, start }: Machine): Injected {
  for (const pid of patroni()) process.kill(pid, 'SIGKILL')
  return { heal: start }
}

function machineKilled(machine: Machine): Injected {
  signalAll(allOf(machine), 'SIGKILL')
  return { heal: machine.start }
}

function etcdKilled({ cluster, random }: Parts): Injected {
  const etcd = random.pick(cluster.etcds)
  signalAll(etcd.pids(), 'SIGKILL')
  return { heal: etcd.start }
}

function onWays(
  { cluster: { network } }: Parts,
  state: typeof CUT | typeof SLOW,
  isMeant: (way: Way) => boolean,
): Injected {
  network.set(state, isMeant)
  return { heal: () => network.set(OPEN, isMeant) }
}

function fromHost({ hosts, random }: Parts): (way: Way) => boolean {
  const { name } = random.pick(hosts)
  return ({ from }) => from === name
}

async function hostFromPrimary(parts: Parts): Promise<Injected> {
  const { name: host } = parts.random.pick(parts.hosts)
  const { name: primary } = await parts.cluster.primary()
  return onWays(parts, CUT, ({ from, to }) => from === host && to === primary)
}

function at(name: string): (way: Way) => boolean {
  return ({ from, to }) => from === name || to.split(' ')[0] === name
}

function toEtcd(name: string): (way: Way) => boolean {
  return ({ from, to }) => from === name && to.startsWith('etcd')
}
