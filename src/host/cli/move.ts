import { dirname, resolve } from 'node:path'
import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Config } from '../app/config.ts'
import { openStoreToMove } from '../app/open-store.ts'
import { withStoreLoader } from '../app/store-loader.ts'
import { withStoreSnapshot } from '../app/store-snapshot.ts'
import { checkSame, digestsOf, loadRows } from '../copies/move-rows.ts'
import type { CopyManifest } from '../copies/copy-file.ts'
import { type RowPage, snapshotSource } from '../copies/row-source.ts'
import { rowsOf } from '../copies/rows-of.ts'
import { isStoreNote } from '../copies/store-notes.ts'
import { MOVED_NOTE, MOVING_NOTE } from '../store/moved-store.ts'
import { hasPassword, postgresAddresses } from '../store/postgres/address.ts'
import { POOL_NAME } from '../store/postgres/pool.ts'
import { postgresServices } from '../store/postgres/services.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { readArguments } from './arguments.ts'
import { countingProgress } from './progress.ts'
import { UsageError } from './usage.ts'
import type { ExitCode } from './exit-codes.ts'
import { CommandError } from './command-error.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataFolder'>

/**
 * `claviger move`: moves all data into an empty store of either kind. The new store is compared with the old one before
 * it is used; then the old one is closed. A killed move can be started again.
 */
export async function move(config: Config, args: readonly string[]): Promise<ExitCode<'move'>> {
  const { to, json = false } = readArguments(args, { to: { type: 'string' }, json: { type: 'boolean' } })
  if (to === undefined) throw new UsageError('name the target: --to postgres://… or --to FOLDER')
  const target = placeOf(to)
  // Two moves at the same time have to see each other.
  const own = `${POOL_NAME} move ${toHex(realWorld.randomBytes(8))}`
  const store = await openStoreToMove(config, own)
  try {
    const about = `${nameOf(target)} at ${new Date(realWorld.now()).toISOString()}`
    const tables = await unserved(store, { config, own, about }, () =>
      withStoreSnapshot(config, (snapshot) => moved(snapshot, target)),
    )
    await close(store, about)
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    process.stdout.write(
      json
        ? `${JSON.stringify({ rows, tables })}\n`
        : [
            `Moved ${rows} rows ${nameOf(target)}, and compared them there. This store is closed: configure the service for the new one.`,
            ...rootKeyLines(config),
            '',
          ].join('\n'),
    )
    return 0
  } finally {
    await store.close()
  }
}

/** By default it lies in the folder of the moved data, which seems to be of no use from here on. */
function rootKeyLines({ vaultPath, rootKeyPath, dataFolder }: Config): readonly string[] {
  return vaultPath === undefined && dirname(rootKeyPath) === dataFolder
    ? [
        `The root key file ${rootKeyPath} was not moved: the new store needs it, so do not remove it with this folder.`,
      ]
    : []
}

async function moved(snapshot: Snapshot, target: Place): Promise<CopyManifest['tables']> {
  const tell = countingProgress((rows) => `moved or compared ${rows} rows`)
  const paused = (page: RowPage): void => tell(page.rows.length)
  const source = sourceOf(snapshot)
  try {
    return await withStoreLoader(target, async (loader) => {
      const tables = await loadRows(source, loader, { lastJob: snapshot.lastJob, paused })
      checkSame(tables, await digestsOf(sourceOf(loader), paused))
      return tables
    })
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'foreign') throw error
    // A move that was killed before the old store was closed has left the same rows there.
    return await withStoreSnapshot(target, async (other) => {
      if (await isLeft(other)) throw error
      const own = await digestsOf(source, paused)
      if (JSON.stringify(own) !== JSON.stringify(await digestsOf(sourceOf(other), paused))) throw error
      return own
    })
  }
}

/**
 * Whether a store was moved, or is being moved. It may be the very store that is moved here, under another address, or
 * the one that this store came from: both would then be closed.
 */
async function isLeft(store: Pick<Snapshot, 'scan'>): Promise<boolean> {
  for await (const notes of rowsOf(store, 'notes'))
    if (notes.some(({ name }) => name === MOVED_NOTE || name === MOVING_NOTE)) return true
  return false
}

function sourceOf(store: Pick<Snapshot, 'scan'>) {
  return snapshotSource(store, { leavesOut: isStoreNote })
}

async function close(store: Store, about: string): Promise<void> {
  await store.noteOnce(MOVED_NOTE, about)
  const moving = await store.note(MOVING_NOTE)
  if (moving !== undefined) await store.replaceNote(MOVING_NOTE, moving, null)
}

/**
 * Copies while no service uses the store. The lock of an embedded store is held. For a database the command can only
 * see the connections: a note keeps out the services and connections that begin from here on, and earlier ones are
 * visible after it.
 */
async function unserved<Result>(
  store: Store,
  {
    config: { databaseUrl },
    own,
    about,
  }: { readonly config: Pick<Config, 'databaseUrl'>; readonly own: string; readonly about: string },
  copy: () => Promise<Result>,
): Promise<Result> {
  if (databaseUrl === undefined) return await copy()
  // The note of a killed move, or of a running one.
  const before = (await store.note(MOVING_NOTE)) ?? null
  await store.replaceNote(MOVING_NOTE, before, about)
  try {
    const others = await postgresServices(databaseUrl, own)
    if (others > 0)
      throw new CommandError(
        `services have ${others} connections to the database: stop all of them before it is moved`,
      )
    return await copy()
  } catch (error) {
    await store.replaceNote(MOVING_NOTE, about, before)
    throw error
  }
}

function placeOf(to: string): Place {
  if (!/^postgres(ql)?:/.test(to)) {
    if (to.includes('://'))
      throw new UsageError('--to is an address of another kind than postgres://…, and no folder')
    return { databaseUrl: undefined, dataFolder: resolve(to) }
  }
  if (postgresAddresses(to) === undefined) throw new UsageError('--to is not a PostgreSQL address')
  return { databaseUrl: to, dataFolder: '' }
}

/** Without a password, since it is stored and shown. */
function nameOf({ databaseUrl, dataFolder }: Place): string {
  if (databaseUrl === undefined) return `to the folder ${dataFolder}`
  return hasPassword(databaseUrl) ? 'to a database of PostgreSQL' : `to ${databaseUrl}`
}
