import type {
  ActivityRow,
  CharterRow,
  DirectoryEntry,
  ObjectKey,
  ObjectRow,
  Unit,
} from '../../../trusted/catalogue/unit.ts'
import { type MemoryJobs, memoryJobs } from './memory-jobs.ts'
import type { ActivityFilter, CommitResult, Conflict, EntryKey, FoundEntry, Page } from '../store.ts'

/**
 * The promises of a store, in the plainest form: maps and lists. The engines are compared with it; it has no other use.
 */
export type MemoryModel = {
  readonly commit: (unit: Unit) => CommitResult
  readonly charters: () => readonly CharterRow[]
  readonly objects: () => readonly ObjectRow[]
  readonly claims: () => readonly DirectoryEntry[]
  readonly activityRows: () => readonly ActivityRow[]
  readonly activities: (organizationId: string, filter: ActivityFilter, page: Page) => readonly ActivityRow[]
  readonly find: (
    key: EntryKey,
    page: { readonly limit: number; readonly after?: string; readonly before?: string },
  ) => readonly string[]
  readonly findPrefix: (
    key: { readonly scope: string; readonly kind: string; readonly prefix: string },
    page: { readonly limit: number; readonly after?: FoundEntry },
  ) => readonly FoundEntry[]
  readonly jobs: MemoryJobs
  readonly sweep: (now: number) => number
}

export function memoryModel(): MemoryModel {
  let state: State = { charters: [], activities: [], objects: [], claims: [], directory: [] }
  const jobs = memoryJobs()

  return {
    jobs,
    commit: (unit) => {
      const next = applied(state, unit)
      if (typeof next === 'string') return { kind: 'conflict', conflict: next }
      state = next
      jobs.ofUnit(unit, state.directory)
      return { kind: 'committed' }
    },
    sweep: (now) => {
      const before = state.objects.length
      const objects = state.objects.filter((row) => row.expiresAt === null || row.expiresAt > now)
      state = { ...state, objects }
      return before - objects.length
    },
    charters: () => state.charters,
    objects: () => state.objects,
    claims: () => state.claims,
    activityRows: () => state.activities,
    activities: (organizationId, { statuses = [], types = [] }, { limit, before, after }) => {
      const rows = state.activities
        .filter((row) => row.organizationId === organizationId)
        .filter((row) => statuses.length === 0 || statuses.includes(row.status))
        .filter((row) => types.length === 0 || types.includes(row.type))
        .filter((row) => after === undefined || row.activityId < after)
        .filter((row) => before === undefined || row.activityId > before)
        .sort((a, b) => byBytes(b.activityId, a.activityId))
      return before !== undefined && after === undefined ? rows.slice(-limit) : rows.slice(0, limit)
    },
    find: ({ scope, kind, value }, { limit, after, before }) => {
      const targets = state.directory
        .filter((entry) => entry.scope === scope && entry.kind === kind && entry.value === value)
        .map((entry) => entry.target)
        .filter((target) => after === undefined || byBytes(target, after) > 0)
        .filter((target) => before === undefined || byBytes(target, before) < 0)
        .sort(byBytes)
      return before !== undefined && after === undefined ? targets.slice(-limit) : targets.slice(0, limit)
    },
    findPrefix: ({ scope, kind, prefix }, { limit, after }) =>
      state.directory
        .filter((entry) => entry.scope === scope && entry.kind === kind && entry.value.startsWith(prefix))
        .map(({ value, target }) => ({ value, target }))
        .filter((entry) => after === undefined || byValueAndTarget(entry, after) > 0)
        .sort(byValueAndTarget)
        .slice(0, limit),
  }
}

type State = {
  readonly charters: readonly CharterRow[]
  readonly activities: readonly ActivityRow[]
  readonly objects: readonly ObjectRow[]
  readonly claims: readonly DirectoryEntry[]
  readonly directory: readonly DirectoryEntry[]
}

function applied(state: State, unit: Unit): State | Conflict {
  for (const guard of unit.guards) {
    const charter = state.charters.find((row) => row.organizationId === guard.organizationId)
    if ((charter?.version ?? 0) !== guard.version) return 'guard'
  }
  for (const guard of unit.objectGuards) {
    const object = state.objects.find((row) => sameObject(row, guard))
    if ((object?.seal ?? null) !== guard.seal) return 'object'
  }
  const activities = withActivity(state.activities, unit.activity)
  if (typeof activities === 'string') return activities

  let claims = without(state.claims, unit.claims.remove, sameEntry)
  for (const claim of unit.claims.put) {
    const held = claims.find((other) => sameEntry({ ...other, target: claim.target }, claim))
    if (held !== undefined && held.target !== claim.target) return 'claim'
    claims = put(claims, [claim], sameEntry)
  }
  return {
    charters: put(state.charters, unit.charters, (a, b) => a.organizationId === b.organizationId),
    activities,
    objects: put(without(state.objects, unit.objects.remove, sameObject), unit.objects.put, sameObject),
    claims,
    directory: put(without(state.directory, unit.directory.remove, sameEntry), unit.directory.put, sameEntry),
  }
}

function withActivity(
  rows: readonly ActivityRow[],
  change: Unit['activity'],
): readonly ActivityRow[] | Conflict {
  if (change === undefined) return rows
  const { row, replaces } = change
  const inOrganization = rows.filter((other) => other.organizationId === row.organizationId)
  const there = inOrganization.find((other) => other.activityId === row.activityId)
  if (replaces !== null && there?.revision !== replaces) return 'revision'
  const requested = inOrganization.some(
    (other) =>
      other !== there && other.timestampMs === row.timestampMs && other.fingerprint === row.fingerprint,
  )
  if (requested) return 'fingerprint'
  if (replaces === null && there !== undefined)
    return there.timestampMs === row.timestampMs && there.fingerprint === row.fingerprint
      ? 'fingerprint'
      : 'revision'
  return [...rows.filter((other) => other !== there), row]
}

type Same<A, B> = (a: A, b: B) => boolean

function without<A, B>(list: readonly A[], gone: readonly B[], same: Same<A, B>): readonly A[] {
  return list.filter((item) => !gone.some((other) => same(item, other)))
}

function put<A>(list: readonly A[], items: readonly A[], same: Same<A, A>): readonly A[] {
  return items.reduce<readonly A[]>((kept, item) => [...without(kept, [item], same), item], list)
}

function sameObject(a: ObjectKey, b: ObjectKey): boolean {
  return a.organizationId === b.organizationId && a.kind === b.kind && a.objectId === b.objectId
}

function sameEntry(a: DirectoryEntry, b: DirectoryEntry): boolean {
  return a.scope === b.scope && a.kind === b.kind && a.value === b.value && a.target === b.target
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function byValueAndTarget(a: FoundEntry, b: FoundEntry): number {
  return byBytes(a.value, b.value) || byBytes(a.target, b.target)
}
