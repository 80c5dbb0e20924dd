import type { Config } from '../../app/config.ts'
import {
  type Keyring,
  openKeyring,
  type RootKeys,
  type RootKeysShown,
} from '../../../trusted/vault/keys/keyring.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import type { HostShown } from '../../rotation/hosts.ts'
import { ANNOUNCE_MS, LOOK_MS } from '../../rotation/rotation.ts'
import { askRotation } from './ask-rotation.ts'
import { pause, sayProgress } from './say.ts'

/** A host that has not read the change after so many looks reads another file. A sealed file takes some to open. */
const WAIT_MS = 5 * LOOK_MS
/** A running host announces itself again within this time. */
const SILENT_MS = ANNOUNCE_MS + 2 * LOOK_MS
const EVERY_MS = 1_000

/**
 * Waits until every running host is ready; returns those that are not. A host whose clock is behind is known by its
 * next announcement alone: by its time it could have been killed.
 */
export async function hostsLeft(
  config: Config,
  isThere: (host: HostShown) => boolean,
  waitingFor: string,
): Promise<readonly HostShown[]> {
  const last = new Map<string, Ms>()
  for (let waitedMs = 0; ; waitedMs += EVERY_MS) {
    const { hosts, silent = [] } = await askRotation(config, { do: 'state' })
    for (const { id, at } of silent) if (!last.has(id)) last.set(id, at)
    const late = silent.filter(({ id, at }) => last.get(id) !== at)
    const left = [...hosts, ...late].filter((host) => !isThere(host))
    const isUnsure = late.length < silent.length && waitedMs < SILENT_MS
    if (!isUnsure && (left.length === 0 || waitedMs >= WAIT_MS)) return left
    const awaited = left.length > 0 ? left : silent.filter((host) => !late.includes(host))
    if (waitedMs % 5_000 === 0) sayProgress(`waiting for ${namesOf(awaited)} ${waitingFor}`)
    await pause(EVERY_MS)
  }
}

type Versions = Pick<RootKeysShown, 'versions'>

export function keyringOf(keys: RootKeys): Keyring {
  return openKeyring(keys.versions, keys)
}

/** Whether a host has this version, and not another key under its number. */
export function holds(host: Versions, shown: Versions, version: number): boolean {
  return idOf(host, version) !== undefined && idOf(host, version) === idOf(shown, version)
}

/** The same number in two files with different keys: each could not open rows sealed by the other. */
export function otherKeys(hosts: readonly HostShown[], shown: Versions): readonly string[] {
  return hosts.flatMap((host) =>
    host.versions
      .filter(({ version, id }) => (idOf(shown, version) ?? id) !== id)
      .map(({ version }) => `${host.name} holds another key under version ${version}`),
  )
}

function idOf({ versions }: Versions, wanted: number): string | undefined {
  return versions.find(({ version }) => version === wanted)?.id
}

export function namesOf(hosts: readonly HostShown[]): string {
  return hosts.map(({ name, id }) => `${name} (${id})`).join(', ')
}

export function newestOf({ versions }: Versions): number {
  return Math.max(...versions.map(({ version }) => version))
}
