import { existsSync, renameSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Config } from '../app/config.ts'
import { packageVersion } from '../app/package-version.ts'
import { startVault } from '../app/start-vault.ts'
import { withStoreSnapshot } from '../app/store-snapshot.ts'
import { CopyError } from '../copies/copy-error.ts'
import { organizationSource } from '../copies/organization-source.ts'
import { writeCopy } from '../copies/write-copy.ts'
import { SCHEMA_STEP } from '../store/schema-step.ts'
import { fileBeside, syncFolderOf } from './file-beside.ts'
import { progress } from './progress.ts'
import { UsageError } from './usage.ts'

/** `claviger organization export`: all that is one organization's own, in one encrypted file, beside the service. */
export async function organization(config: Config, args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args)
  const [name, organizationId, ...rest] = positionals
  const { out, recipient: recipients = [], json = false } = values
  if (name !== 'export' || organizationId === undefined || rest.length > 0 || out === undefined)
    throw new UsageError('export ID --out FILE, with the id of an organization')
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
        lastJob: 0,
        organizationId,
      }
      return await writeCopy(organizationSource(snapshot, organizationId), spawned.vault, {
        path: partial,
        recipients,
        randomBytes: realWorld.randomBytes,
        about,
        paused: (page) => {
          rows += page.rows.length
          tell()
        },
      })
    })
    const { charters, activities } = manifest.tables
    if (charters.rows !== 1) throw new CopyError(`there is no organization ${organizationId}`)
    renameSync(partial, out)
    syncFolderOf(out)
    const at = new Date(manifest.copiedAt).toISOString()
    const text = json
      ? JSON.stringify({ file: out, ...manifest })
      : `${out}: ${rows} rows of ${organizationId} as they stood at ${at}, ${activities.rows} of them activities`
    process.stdout.write(`${text}\n`)
    return 0
  } finally {
    rmSync(partial, { force: true })
    await spawned.end()
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        recipient: { type: 'string', multiple: true },
        json: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
