import type { Steps } from '../../base/work.ts'
import type { LookupKey } from '../../catalogue/objects.ts'
import type { DirectoryEntry } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { userLookupSteps } from '../../charter/directory.ts'
import { entrySteps } from '../authentication/directory-entries.ts'

export type Entries = { readonly put: readonly DirectoryEntry[]; readonly remove: readonly DirectoryEntry[] }

/**
 * The changes of the directory when one charter replaces another. Of users who stay as they are, only the entries are
 * looked at that others come or go with.
 */
export function* lookupChanges(before: Charter | undefined, after: Charter): Steps<Entries> {
  const same = before === undefined || before.deleted || after.deleted ? [] : sameUsers(before, after)
  const unchanged = new Set(same)
  const othersOf = ({ users }: Charter) => users.filter((user) => !unchanged.has(user))
  const changed = new Difference()
  if (before !== undefined) changed.had(yield* entrySteps(before, othersOf(before)))
  changed.has(yield* entrySteps(after, othersOf(after)))
  const { put, remove } = changed.entries()
  const values = new Set([...put, ...remove].map(({ value }) => value))
  const stays = new Set<string>()
  if (values.size > 0)
    for (const lookup of yield* userLookupSteps(same)) if (values.has(lookup.value)) stays.add(nameOf(lookup))
  const isChanged = (entry: DirectoryEntry): boolean => !stays.has(nameOf(entry))
  return { put: put.filter(isChanged), remove: remove.filter(isChanged) }
}

function sameUsers(before: Charter, after: Charter): Charter['users'] {
  const known = new Set(before.users)
  return after.users.filter((user) => known.has(user))
}

/** The added and the removed entries. */
export class Difference {
  readonly #had = new Map<string, DirectoryEntry>()
  readonly #has = new Map<string, DirectoryEntry>()

  had(entries: readonly DirectoryEntry[]): void {
    for (const entry of entries) this.#had.set(textOf(entry), entry)
  }

  has(entries: readonly DirectoryEntry[]): void {
    for (const entry of entries) this.#has.set(textOf(entry), entry)
  }

  entries(): Entries {
    const only = (ones: ReadonlyMap<string, DirectoryEntry>, others: ReadonlyMap<string, DirectoryEntry>) =>
      [...ones].flatMap(([text, entry]) => (others.has(text) ? [] : [entry]))
    return { put: only(this.#has, this.#had), remove: only(this.#had, this.#has) }
  }
}

function textOf({ scope, kind, value, target }: DirectoryEntry): string {
  return JSON.stringify([scope, kind, value, target])
}

export function nameOf({ kind, value }: LookupKey): string {
  return JSON.stringify([kind, value])
}

export function merged(parts: readonly Entries[]): Entries {
  return { put: parts.flatMap((part) => part.put), remove: parts.flatMap((part) => part.remove) }
}
