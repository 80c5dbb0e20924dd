import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { ARCHIVED_AFTER_DAYS_MIN, archivable } from '../../src/host/copies/archivable.ts'
import { archiveFolder } from '../../src/host/copies/archive-folder.ts'
import { type ArchivedFile, archiveMonth, type ArchiveStep } from '../../src/host/copies/archive-month.ts'
import type { ArchivePlace } from '../../src/host/copies/archive-place.ts'
import { readArchiveFileName } from '../../src/host/copies/archive-note.ts'
import { openCopy } from '../../src/host/copies/read-copy.ts'
import { snapshotSource } from '../../src/host/copies/row-source.ts'
import { rowsOf } from '../../src/host/copies/rows-of.ts'
import { verifyArchives } from '../../src/host/copies/verify-archives.ts'
import { verifyRows } from '../../src/host/copies/verify-rows.ts'
import { newVerifyState, type Problem } from '../../src/host/copies/verify-state.ts'
import { fileBeside, syncFolderOf } from '../../src/host/app/file-beside.ts'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { SCHEMA_STEP } from '../../src/host/store/schema-step.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import { freshDatabase, postgresAvailable } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, type Service, START } from '../tampering/harness.ts'
import { newKey, type Populated, populate, signing } from '../tampering/populated.ts'

const root = mkdtempSync(join(tmpdir(), 'claviger-archive-'))
after(() => rmSync(root, { recursive: true, force: true }))
export const DAY_MS = 24 * 60 * 60 * 1000

export const engines: { readonly [engine: string]: () => Promise<Store> } = {
  sqlite: async () => openSqlite({ path: ':memory:' }),
  ...(postgresAvailable()
    ? { postgres: async () => await openPostgres({ url: await freshDatabase() }) }
    : {}),
}

/** A service whose store has activities to archive, and a folder for them. */
export type History = {
  readonly store: Store
  readonly service: Service
  readonly populated: Populated
  readonly before: readonly ActivityRow[]
  readonly folder: string
  /** Where archives are made: that folder, unless a test has another place. */
  readonly place?: ArchivePlace
}

export const sqlite = async (): Promise<Store> => openSqlite({ path: ':memory:' })
let folders = 0

/** Activities of November, one of December, and one of March. */
export async function withHistory(
  open: () => Promise<Store>,
  body: (history: History) => Promise<void>,
  seed = 1,
): Promise<void> {
  const store = await open()
  try {
    const service = await openServiceOn(store, testWorld(seed, START))
    const populated = await populate(service, store)
    service.world.advance(20 * DAY_MS)
    const { world } = service
    await newKey(service, populated.root, 'Of December')
    world.advance(85 * DAY_MS)
    const latest = await service.send(signing(world, populated.root, populated.keyId, '07'))
    assert.equal(latest.status, 200, latest.text)
    const folder = aFolder()
    await body({ store, service, populated, before: await activitiesOf(store), folder })
  } finally {
    await store.close()
  }
}

/** A folder of its own for archives. */
export function aFolder(): string {
  const folder = join(root, String(++folders))
  mkdirSync(folder)
  return folder
}

export function placeOf(folder: string, beside = fileBeside): ArchivePlace {
  return archiveFolder(folder, { fileBeside: beside, syncFolderOf })
}

/** Archives what is over, as `claviger archive make` does. */
export async function archived(
  { store, service, folder, place }: History,
  instead: {
    readonly store?: Store
    readonly fileBeside?: (path: string) => string
    readonly paused?: (step: ArchiveStep) => void | Promise<void>
    readonly recipients?: readonly string[]
    readonly identities?: readonly string[]
    readonly schema?: number
  } = {},
): Promise<readonly ArchivedFile[]> {
  const { vault, world } = service
  const now = world.now()
  const found = await archivable(store, { now, olderThanDays: ARCHIVED_AFTER_DAYS_MIN, paused: () => {} })
  const files: ArchivedFile[] = []
  for (const month of found.months.keys())
    files.push(
      ...(await archiveMonth(
        {
          store: instead.store ?? store,
          vault,
          place: place ?? placeOf(folder, instead.fileBeside),
          recipients: instead.recipients ?? [],
          identities: instead.identities ?? [],
          randomBytes: world.randomBytes,
          about: { claviger: 'test', schema: instead.schema ?? SCHEMA_STEP, copiedAt: now },
          paused: async (step) => await instead.paused?.(step),
        },
        found,
        month,
      )),
    )
  return files
}

export async function activitiesOf(store: Store): Promise<readonly ActivityRow[]> {
  const rows: ActivityRow[] = []
  for await (const page of rowsOf(store, 'activities')) rows.push(...page)
  return rows
}

export async function archivedRows({
  folder,
  place = placeOf(folder),
  service,
}: History): Promise<readonly ActivityRow[]> {
  const rows: ActivityRow[] = []
  // A run that was killed leaves a file that was not put in its place.
  for (const name of await place.list()) {
    const file = readArchiveFileName(name) === undefined ? undefined : await place.open(name)
    if (file === undefined) continue
    const copy = await openCopy(file, service.vault, {
      identities: [],
      schema: SCHEMA_STEP,
    })
    for await (const page of copy.pages()) if (page.table === 'activities') rows.push(...page.rows)
  }
  return rows
}

/** What `claviger verify --archives` finds. */
export async function problemsIn({
  store,
  service,
  folder,
  place = placeOf(folder),
}: History): Promise<readonly string[]> {
  const state = newVerifyState('salt')
  const { vault } = service
  await verifyRows(snapshotSource(store), vault, { state, pauseAfterRows: 1_000, paused: async () => {} })
  await verifyArchives(store, place, { vault, identities: [], state, paused: () => {} })
  return state.problems.map(({ what, problem }: Problem) => `${what}: ${problem}`)
}

export function byId(a: ActivityRow, b: ActivityRow): number {
  return a.activityId < b.activityId ? -1 : 1
}
