import type { Config } from '../../app/config.ts'
import { CopyError } from '../../copies/copy-error.ts'
import { organizationSource } from '../../copies/organization-source.ts'
import { readWords } from '../arguments.ts'
import { UsageError } from '../usage.ts'
import { writeCopyFile } from '../write-copy-file.ts'
import type { ExitCode } from '../exit-codes.ts'

/**
 * `claviger organization export`: copies one organization's data into one encrypted file, while the service may run.
 */
export async function exportCommand(
  config: Config,
  args: readonly string[],
): Promise<ExitCode<'organization export'>> {
  const { words, values } = readWords(args, {
    out: { type: 'string' },
    recipient: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  })
  const [organizationId, ...rest] = words
  const { out, recipient: recipients = [], json = false } = values
  if (organizationId === undefined || rest.length > 0 || out === undefined)
    throw new UsageError('export ID --out FILE, with the id of an organization')
  const { manifest, rows, at } = await writeCopyFile(config, {
    out,
    recipients,
    of: (snapshot) => ({
      source: organizationSource(snapshot, organizationId),
      lastJob: 0,
      organizationId,
    }),
    checked: ({ tables }) => {
      if (tables.charters.rows !== 1) throw new CopyError(`there is no organization ${organizationId}`)
    },
  })
  const text = json
    ? JSON.stringify({ file: out, ...manifest })
    : `${out}: ${rows} rows of ${organizationId} as they stood at ${at}, ${manifest.tables.activities.rows} of them activities`
  process.stdout.write(`${text}\n`)
  return 0
}
