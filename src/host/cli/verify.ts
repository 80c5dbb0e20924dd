import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Vault } from '../../protocol/vault.ts'
import type { Config } from '../app/config.ts'
import { replaceFile } from '../app/file-beside.ts'
import { openArchivePlace } from '../app/open-archive-place.ts'
import { withStoreSnapshot } from '../app/store-snapshot.ts'
import type { ArchivePlace } from '../copies/archive-place.ts'
import { localFile } from '../copies/local-file.ts'
import { copySource, openCopy } from '../copies/read-copy.ts'
import { type RowSource, snapshotSource } from '../copies/row-source.ts'
import { notedArchives } from '../copies/noted-archives.ts'
import { notedProofs, RESTORED_NOTE } from '../copies/restored-note.ts'
import { rowsOf } from '../copies/rows-of.ts'
import { verifyArchives } from '../copies/verify-archives.ts'
import { newVerifyState, readVerifyState, type VerifyState, verifyStateText } from '../copies/verify-state.ts'
import { verifyRows } from '../copies/verify-rows.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { SCHEMA_STEP } from '../store/schema-step.ts'
import { readArguments } from './arguments.ts'
import { giveWay } from './give-way.ts'
import { identitiesIn } from './identities-in.ts'
import { printable, printableJson } from './policies/printable.ts'
import { countingProgress, progress } from './progress.ts'
import { readTextFile } from './read-file.ts'
import { UsageError } from './usage.ts'
import { withVault } from './with-vault.ts'
import type { ExitCode } from './exit-codes.ts'
import { CommandError } from './command-error.ts'

/** The exit code of a command that has finished its work and found a fault. */
const FOUND_WRONG = 3

/**
 * `claviger verify`: whether every row is as the vault would make it again, with each index. It reads the present state
 * of the store, also beside the service, or a backup.
 */
export async function verify(config: Config, args: readonly string[]): Promise<ExitCode<'verify'>> {
  const {
    backup,
    identity = [],
    state: path,
    archives,
    json = false,
  } = readArguments(args, {
    backup: { type: 'string' },
    identity: { type: 'string', multiple: true },
    state: { type: 'string' },
    archives: { type: 'string' },
    json: { type: 'boolean' },
  })
  if (archives !== undefined && backup !== undefined)
    throw new UsageError('--archives is about the store, and not about a backup: leave one of the two out')
  const identities = identitiesIn(identity)
  const place = archives === undefined ? undefined : await openArchivePlace(archives)
  giveWay()
  return await withVault(config, async (vault) => {
    if (backup === undefined) {
      const { state, archived } = await withStoreSnapshot(config, async (snapshot) => {
        const found = stateFrom(path, await storeId(config, snapshot))
        await verified(snapshotSource(snapshot), vault, { state: found, path })
        return {
          state: found,
          archived: await archivesOf(snapshot, place, { vault, identities, state: found }),
        }
      })
      return report(state, json, { archived })
    }
    const copy = await openCopy(await localFile(backup), vault, { identities, schema: SCHEMA_STEP })
    const state = stateFrom(path, copy.id)
    const { organizationId, archive } = copy.beginning
    const isWhole = organizationId === undefined && archive === undefined
    await verified(copySource(copy), vault, { state, path, isWhole })
    return report(state, json, { isWhole })
  })
}

/** Verifies all rows, and saves its findings so far if a path is given. */
async function verified(
  source: RowSource,
  vault: Vault,
  {
    state,
    path,
    isWhole = true,
  }: { readonly state: VerifyState; readonly path?: string | undefined; readonly isWhole?: boolean },
): Promise<void> {
  const { tell } = progress(() => `verified ${countOf(state)} rows, ${state.problemCount} wrong`)
  const told: RowSource = {
    pages: async function* (from) {
      for await (const page of source.pages(from)) {
        tell()
        yield page
      }
    },
  }
  await verifyRows(told, vault, {
    state,
    isWhole,
    pauseAfterRows: 20_000,
    paused: async () => {
      if (path !== undefined) replaceFile(path, verifyStateText(state))
    },
  })
  if (path !== undefined) rmSync(path, { force: true })
}

/** Data that were restored to the same place are another store. An address of a database may contain a password. */
async function storeId(
  { databaseUrl, dataFolder }: Config,
  snapshot: Pick<Snapshot, 'scan'>,
): Promise<string> {
  const hash = createHash('sha256').update(`store ${databaseUrl ?? dataFolder}`)
  for await (const notes of rowsOf(snapshot, 'notes')) {
    const restores = notes.find(({ name }) => name === RESTORED_NOTE)
    // Their proofs are renewed with the root key.
    for (const [text] of notedProofs(restores?.value ?? '')) hash.update(`\n${text}`)
  }
  return hash.digest('hex')
}

function stateFrom(path: string | undefined, source: string): VerifyState {
  if (path === undefined || !existsSync(path)) return newVerifyState(toHex(realWorld.randomBytes(16)), source)
  const state = readVerifyState(readTextFile(path))
  if (state === undefined)
    throw new CommandError(
      `${path} is not the state of a verification by this version: remove it, and start again`,
    )
  if (state.source !== source)
    throw new CommandError(
      `${path} belongs to the verification of another store or backup: name another file, or remove it`,
    )
  return state
}

type Archived = {
  /** The number of archived activities, according to the notes of the store. */
  readonly noted: number
  /** The number of them that were read in the files; undefined if no folder was named. */
  readonly verified?: number
}

async function archivesOf(
  snapshot: Snapshot,
  place: ArchivePlace | undefined,
  means: { readonly vault: Vault; readonly identities: readonly string[]; readonly state: VerifyState },
): Promise<Archived> {
  const noted = (await notedArchives(snapshot)).reduce((sum, { activities }) => sum + activities, 0)
  if (place === undefined) return { noted }
  const paused = countingProgress((rows) => `verified ${rows} archived activities`)
  return {
    noted,
    verified: await verifyArchives(snapshot, place, { ...means, paused }),
  }
}

/** The findings, and one line with the result at the end. */
function report(
  state: VerifyState,
  json: boolean,
  { isWhole = true, archived = { noted: 0 } }: { readonly isWhole?: boolean; readonly archived?: Archived },
): ExitCode<'verify'> {
  const { problems, problemCount, counts } = state
  const isWell = problemCount === 0
  if (json)
    process.stdout.write(`${printableJson({ isWell, problemCount, problems, rows: counts, archived })}\n`)
  else {
    const unsaid = problemCount - problems.length
    const lines = [
      ...problems.map(({ what, problem }) => `!!  ${printable(`${what}: ${problem}`)}`),
      ...(unsaid > 0 ? [`!!  and ${unsaid} more`] : []),
      ...archiveLines(archived),
      isWell
        ? `ok  ${countOf(state)} rows are as the vault sealed them${isWhole ? ', and the indexes are those of these rows' : ''}`
        : `!!  ${problemCount} of ${countOf(state)} rows are wrong or missing`,
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  }
  return isWell ? 0 : FOUND_WRONG
}

function archiveLines({ noted, verified: read }: Archived): readonly string[] {
  if (noted === 0) return []
  return read === undefined
    ? [`--  ${noted} activities are in archives, which --archives FOLDER verifies`]
    : [`--  ${read} of ${noted} archived activities were read in their files`]
}

function countOf({ counts }: VerifyState): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
