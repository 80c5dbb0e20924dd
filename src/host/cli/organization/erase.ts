import type { Config } from '../../app/config.ts'
import { type ErasedRows, eraseOrganization } from '../../copies/erase-organization.ts'
import { readWords } from '../arguments.ts'
import { countingProgress } from '../progress.ts'
import { UsageError } from '../usage.ts'
import { withData } from '../with-data.ts'
import type { ExitCode } from '../exit-codes.ts'

/** `claviger organization erase`: permanently erases personal data and names in a deleted organization. */
export async function eraseCommand(
  config: Config,
  args: readonly string[],
): Promise<ExitCode<'organization erase'>> {
  const { words, values } = readWords(args, { json: { type: 'boolean' } })
  const [organizationId, ...more] = words
  if (organizationId === undefined || more.length > 0)
    throw new UsageError('erase ID, with the id of an organization that was deleted')
  const tell = countingProgress((rows) => `erased ${rows} rows`)
  const paused = async (rows: number): Promise<void> => tell(rows)
  const erased = await withData(config, async (data) =>
    eraseOrganization({ ...data, paused }, organizationId),
  )
  process.stdout.write(
    `${values.json === true ? JSON.stringify({ organizationId, ...erased }) : said(organizationId, erased)}\n`,
  )
  return 0
}

function said(organizationId: string, { activities, founding, rest }: ErasedRows): string {
  return [
    `${organizationId}: the content of ${activities} records was erased, and ${rest} other rows were removed.`,
    ...(founding ? ['The request that created it was erased from the record of its parent.'] : []),
    'Earlier backups, archives, exports and logs still contain all of it.',
  ].join('\n')
}
