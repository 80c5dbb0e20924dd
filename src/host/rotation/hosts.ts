import {
  isPlain,
  list,
  oneOf,
  openRecord,
  optional,
  type PlainOf,
  text,
  whole,
} from '../../trusted/base/plain.ts'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { present } from '../../trusted/base/assert.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { notesNamed } from '../copies/notes-named.ts'
import { HOST_NOTE } from '../copies/store-notes.ts'
import type { RootKeysShown } from '../../protocol/vault.ts'
import { PROTOCOL_VERSION } from '../../protocol/envelope.ts'
import { formatsAfter, SCHEMA_STEP, schemaSteps } from '../store/schema-step.ts'
import { SERVICE_PURPOSES, SERVICE_STATES } from '../../trusted/catalogue/service-purposes.ts'
import type { Store } from '../store/store.ts'

const word = text(4_096)

const format = openRecord({ reads: whole(), writes: whole() })

/** The software of a host, and the data that it may use. */
const release = openRecord({
  claviger: word,
  /** The number of the newest step of the schema that it knows. */
  schema: whole(1),
  /** The version of the protocol to its vault. */
  protocol: whole(1),
  formats: openRecord({ charter: format, seal: format, record: format }),
})

export type Release = PlainOf<typeof release>

/** This version. */
export function releaseOf(claviger: string): Release {
  const formats = present(formatsAfter(schemaSteps, SCHEMA_STEP), 'the formats of this version')
  const { charter, seal, record } = formats
  return { claviger, schema: SCHEMA_STEP, protocol: PROTOCOL_VERSION, formats: { charter, seal, record } }
}

/**
 * The announcement of a host about itself and its root key, for the other hosts. It is a hint for the operator, and
 * decides nothing. A newer version may add fields.
 */
const hostShown = openRecord({
  /** Identifies this host while it runs. */
  id: word,
  /** The operator's name of the machine. */
  name: word,
  at: whole(),
  seals: whole(1),
  versions: list(openRecord({ version: whole(1), id: word }), 1_000),
  /** The service's own keys. A host of an earlier version of Claviger does not announce them. */
  service: optional(
    list(
      openRecord({
        purpose: oneOf(SERVICE_PURPOSES),
        version: whole(1),
        state: oneOf(SERVICE_STATES),
        id: word,
      }),
      1_000,
    ),
  ),
  /** The reason why the last read root key file was refused. */
  trouble: optional(word),
  /** A host of an earlier version of Claviger does not announce it. */
  release: optional(release),
})

export type HostShown = PlainOf<typeof hostShown>

/** A host without an announcement for this long counts as stopped. */
const HOST_GONE_MS = 45_000
/** The announcement of a killed host is removed after this time; the clock of a running host is never so far ahead. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000

export function hostShownOf(
  host: Pick<HostShown, 'id' | 'name' | 'at' | 'release'>,
  { seals, versions, service, trouble }: RootKeysShown,
): HostShown {
  return { ...host, seals, versions, service, ...(trouble === undefined ? {} : { trouble }) }
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

/** The running hosts. Announcements of stopped hosts are removed. */
export async function announcedHosts(store: Store, now: Ms): Promise<readonly HostShown[]> {
  return hostsIn(await hostNotes(store, now), now)
}

/**
 * Hosts whose last announcement is too old for a running host: most were killed. A host whose clock is behind is among
 * them too, and announces itself again.
 */
export async function silentHosts(store: Store, now: Ms): Promise<readonly HostShown[]> {
  return toldIn(await hostNotes(store, now)).filter((host) => isSilent(host, now) && !isForgotten(host, now))
}

async function hostNotes(store: Store, now: Ms): Promise<readonly Note[]> {
  const notes: Note[] = []
  for await (const note of notesNamed(store, HOST_NOTE)) notes.push(note)
  for (const { name, value } of notes)
    if (isForgotten(parsed(value), now)) await store.replaceNote(name, value, null)
  return notes
}

type Note = { readonly name: string; readonly value: string }

/** The running hosts, according to all announcements. */
export function hostsIn(notes: readonly Note[], now: Ms): readonly HostShown[] {
  return toldIn(notes)
    .filter((host) => !isSilent(host, now) && !isForgotten(host, now))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function toldIn(notes: readonly Note[]): readonly HostShown[] {
  return notes.map(({ value }) => parsed(value)).filter((host) => host !== undefined)
}

function isSilent({ at }: HostShown, now: Ms): boolean {
  return now - at > HOST_GONE_MS
}

function isForgotten(host: HostShown | undefined, now: Ms): boolean {
  return host === undefined || Math.abs(now - host.at) > FORGOTTEN_MS
}

function parsed(value: string): HostShown | undefined {
  const host = jsonIn(value)
  return isPlain(hostShown, host) ? host : undefined
}
