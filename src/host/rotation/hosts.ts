import {
  isPlain,
  list,
  oneOf,
  optional,
  type PlainOf,
  record,
  text,
  whole,
} from '../../trusted/base/plain.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { HOST_NOTE } from '../copies/store-notes.ts'
import type { RootKeysShown } from '../../protocol/vault.ts'
import { SERVICE_PURPOSES, SERVICE_STATES } from '../../trusted/catalogue/service-purposes.ts'
import type { Store } from '../store/store.ts'

const word = text(4_096)

/** What a host tells the others of itself, and of its root key. It is a hint for the operator, and decides nothing. */
const hostShown = record({
  /** Names this host while it runs. */
  id: word,
  /** As the operator knows the machine. */
  name: word,
  at: whole(),
  seals: whole(1),
  versions: list(record({ version: whole(1), id: word }), 1_000),
  /** Keys of the service itself. A host of an earlier version of Claviger says nothing of them. */
  service: optional(
    list(
      record({ purpose: oneOf(SERVICE_PURPOSES), version: whole(1), state: oneOf(SERVICE_STATES), id: word }),
      1_000,
    ),
  ),
  /** Why the root key file was not taken when it was read last. */
  trouble: optional(word),
})

export type HostShown = PlainOf<typeof hostShown>

/** A host that has said nothing for so long is not there any more. */
const HOST_GONE_MS = 45_000
/** What a host that was killed has left is taken away after so long; no clock of a host that runs is so far ahead. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000

export function hostShownOf(
  { id, name, at }: Pick<HostShown, 'id' | 'name' | 'at'>,
  { seals, versions, service, trouble }: RootKeysShown,
): HostShown {
  return { id, name, at, seals, versions, service, ...(trouble === undefined ? {} : { trouble }) }
}

export async function announceHost(store: Store, host: HostShown): Promise<void> {
  const name = HOST_NOTE + host.id
  await store.replaceNote(name, (await store.note(name)) ?? null, JSON.stringify(host))
}

export async function removeHost(store: Store, id: string): Promise<void> {
  const name = HOST_NOTE + id
  const noted = await store.note(name)
  if (noted !== undefined) await store.replaceNote(name, noted, null)
}

/** The hosts that are there. What others have left behind is taken away. */
export async function announcedHosts(store: Store, now: Ms): Promise<readonly HostShown[]> {
  const hosts: HostShown[] = []
  for await (const { name, value } of notesOf(store)) {
    if (!name.startsWith(HOST_NOTE)) continue
    const host = parsed(value)
    if (host === undefined || Math.abs(now - host.at) > FORGOTTEN_MS)
      await store.replaceNote(name, value, null)
    else if (now - host.at <= HOST_GONE_MS) hosts.push(host)
  }
  return hosts.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

async function* notesOf(store: Pick<Store, 'scan'>) {
  let after: Awaited<ReturnType<Store['scan']>>['last']
  do {
    const page = await store.scan('notes', { limit: NOTES_PAGE, after })
    yield* page.rows
    after = page.last
  } while (after !== undefined)
}

const NOTES_PAGE = 100

function parsed(value: string): HostShown | undefined {
  try {
    const host: unknown = JSON.parse(value)
    return isPlain(hostShown, host) ? host : undefined
  } catch {
    return undefined
  }
}
