import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Config } from '../app/config.ts'
import { fileBeside, syncFolderOf } from '../app/file-beside.ts'
import { packageVersion } from '../app/package-version.ts'
import { withStoreSnapshot } from '../app/store-snapshot.ts'
import type { CopyManifest } from '../copies/copy-file.ts'
import { writeLocalFile } from '../copies/local-file.ts'
import type { RowSource } from '../copies/row-source.ts'
import { rowsOf } from '../copies/rows-of.ts'
import { writeCopy } from '../copies/write-copy.ts'
import { checkRootKeyOf } from '../rotation/root-proof.ts'
import { MOVED_NOTE } from '../store/moved-store.ts'
import { SCHEMA_STEP } from '../store/schema-step.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { giveWay } from './give-way.ts'
import { progress } from './progress.ts'
import { CommandError } from './command-error.ts'
import { withVault } from './with-vault.ts'

type Copied = Pick<CopyManifest, 'lastJob' | 'organizationId'> & { readonly source: RowSource }

/**
 * Writes an encrypted file while the service may run: under another name until it is complete, and never over an
 * existing one.
 *
 * @param out         path of the file
 * @param recipients  age recipients; none for a key under the root key
 * @param of          the copied part of the data
 * @param checked     throws if the file must not be kept
 * @returns the manifest, the number of rows, and the time of their state, as a text
 */
export async function writeCopyFile(
  config: Config,
  {
    out,
    recipients,
    of,
    checked = () => undefined,
  }: {
    readonly out: string
    readonly recipients: readonly string[]
    readonly of: (snapshot: Snapshot) => Copied
    readonly checked?: (manifest: CopyManifest) => void
  },
): Promise<{ readonly manifest: CopyManifest; readonly rows: number; readonly at: string }> {
  refuseTaken(out)
  giveWay()
  const partial = fileBeside(out)
  let rows = 0
  const { tell } = progress(() => `copied ${rows} rows`)
  try {
    const manifest = await withVault(config, async (vault) => {
      tell()
      return await withStoreSnapshot(config, async (snapshot) => {
        await refuseMoved(snapshot)
        await checkRootKeyOf(snapshot, vault)
        const { source, ...copied } = of(snapshot)
        return await writeCopy(source, vault, {
          write: async (bytes) => await writeLocalFile(partial, bytes),
          recipients,
          randomBytes: realWorld.randomBytes,
          about: {
            claviger: packageVersion(),
            schema: SCHEMA_STEP,
            copiedAt: realWorld.now(),
            ...copied,
          },
          paused: (page) => {
            rows += page.rows.length
            tell()
          },
        })
      })
    })
    checked(manifest)
    // A file may have come while this one was made. A link would be refused by itself, but not every disk has links.
    refuseTaken(out)
    putUnder(partial, out)
    syncFolderOf(out)
    return { manifest, rows, at: new Date(manifest.copiedAt).toISOString() }
  } finally {
    rmSync(partial, { force: true })
  }
}

/** A nightly backup of a store that nobody serves any more would be taken for one of the data. */
async function refuseMoved(snapshot: Pick<Snapshot, 'scan'>): Promise<void> {
  for await (const notes of rowsOf(snapshot, 'notes')) {
    const moved = notes.find(({ name }) => name === MOVED_NOTE)
    if (moved !== undefined) throw new CommandError(`this data was moved ${moved.value}: copy it there`)
  }
}

/** Another run for the same file takes the unfinished one for that of a killed run, and removes it. */
function putUnder(partial: string, out: string): void {
  if (!existsSync(partial))
    throw new CommandError(
      `another command began to write ${out}: nothing was written here, let one end first`,
    )
  renameSync(partial, out)
}

/** Also a link whose target is missing, such as one to a disk that is not mounted. */
function refuseTaken(out: string): void {
  if (lstatSync(out, { throwIfNoEntry: false }) !== undefined) throw new CommandError(`${out} exists already`)
}
