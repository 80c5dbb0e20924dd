import { existsSync, renameSync, rmSync } from 'node:fs'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Config } from '../app/config.ts'
import { startVault } from '../app/start-vault.ts'
import { withStoreSnapshot } from '../app/store-snapshot.ts'
import { snapshotSource } from '../copies/row-source.ts'
import { isStoreNote } from '../copies/store-notes.ts'
import { writeCopy } from '../copies/write-copy.ts'
import { SCHEMA_STEP } from '../store/schema-step.ts'
import { readArguments } from './arguments.ts'
import { fileBeside, syncFolderOf } from './file-beside.ts'
import { packageVersion } from '../app/package-version.ts'
import { progress } from './progress.ts'
import { UsageError } from './usage.ts'

/** `claviger backup`: all data as they stand now, in one encrypted file, beside the service. */
export async function backup(config: Config, args: readonly string[]): Promise<number> {
  const {
    out,
    recipient = [],
    json = false,
  } = readArguments(args, {
    out: { type: 'string' },
    recipient: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  })
  if (out === undefined) throw new UsageError('name the file of the backup: --out FILE')
  if (existsSync(out)) throw new UsageError(`${out} is there already`)
  const partial = fileBeside(out)
  let rows = 0
  const { tell } = progress(() => `copied ${rows} rows`)
  const spawned = startVault(config)
  try {
    await spawned.ready
    const manifest = await withStoreSnapshot(config, async (snapshot) => {
      const about = {
        claviger: packageVersion(),
        schema: SCHEMA_STEP,
        copiedAt: realWorld.now(),
        lastJob: snapshot.lastJob,
      }
      return await writeCopy(snapshotSource(snapshot, { leavesOut: isStoreNote }), spawned.vault, {
        path: partial,
        recipients: recipient,
        randomBytes: realWorld.randomBytes,
        about,
        paused: (page) => {
          rows += page.rows.length
          tell()
        },
      })
    })
    renameSync(partial, out)
    syncFolderOf(out)
    const at = new Date(manifest.copiedAt).toISOString()
    const text = json
      ? JSON.stringify({ file: out, ...manifest })
      : `${out}: ${rows} rows as they stood at ${at}, ${manifest.tables.activities.rows} of them activities`
    process.stdout.write(`${text}\n`)
    return 0
  } finally {
    rmSync(partial, { force: true })
    await spawned.end()
  }
}
