import type { Config } from '../app/config.ts'
import { snapshotSource } from '../copies/row-source.ts'
import { isStoreNote } from '../copies/store-notes.ts'
import { readArguments } from './arguments.ts'
import { noteBackup } from './backup-noted.ts'
import { UsageError } from './usage.ts'
import { writeCopyFile } from './write-copy-file.ts'
import type { ExitCode } from './exit-codes.ts'

/** `claviger backup`: copies all present data into one encrypted file, while the service may run. */
export async function backup(config: Config, args: readonly string[]): Promise<ExitCode<'backup'>> {
  const {
    out,
    recipient: recipients = [],
    json = false,
  } = readArguments(args, {
    out: { type: 'string' },
    recipient: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  })
  if (out === undefined) throw new UsageError('name the file of the backup: --out FILE')
  const { manifest, rows, at } = await writeCopyFile(config, {
    out,
    recipients,
    of: (snapshot) => ({
      source: snapshotSource(snapshot, { leavesOut: isStoreNote }),
      lastJob: snapshot.lastJob,
    }),
  })
  noteBackup(config, { copiedAt: manifest.copiedAt, file: out })
  const text = json
    ? JSON.stringify({ file: out, ...manifest })
    : `${out}: ${rows} rows as they stood at ${at}, ${manifest.tables.activities.rows} of them activities`
  process.stdout.write(`${text}\n`)
  return 0
}
