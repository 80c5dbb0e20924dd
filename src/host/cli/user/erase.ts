import { realWorld } from '../../../trusted/base/real-world.ts'
import type { Config } from '../../app/config.ts'
import { type ErasedOfUser, eraseUser } from '../../copies/erase-user.ts'
import { readArguments } from '../arguments.ts'
import { countingProgress } from '../progress.ts'
import { UsageError } from '../usage.ts'
import { withData } from '../with-data.ts'
import type { ExitCode } from '../exit-codes.ts'

const OPTIONS = {
  organization: { type: 'string' },
  user: { type: 'string' },
  json: { type: 'boolean' },
} as const

/** `claviger user erase`: permanently erases the data about a deleted user of an existing organization from records. */
export async function eraseCommand(config: Config, args: readonly string[]): Promise<ExitCode<'user erase'>> {
  const { organization: organizationId, user: userId, json = false } = readArguments(args, OPTIONS)
  if (organizationId === undefined || userId === undefined)
    throw new UsageError('erase --organization ID --user ID, with the ids of a user who was deleted')
  const tell = countingProgress((rows) => `looked at ${rows} rows`)
  const paused = async (rows: number): Promise<void> => tell(rows)
  const erased = await withData(config, async (data) =>
    eraseUser({ ...data, now: realWorld.now, paused }, { organizationId, userId }),
  )
  process.stdout.write(
    `${json ? JSON.stringify({ organizationId, userId, ...erased }) : said(userId, erased)}\n`,
  )
  return 0
}

function said(userId: string, { activities, messages, live, shared, invitations }: ErasedOfUser): string {
  return [
    `${userId}: the data about this user in ${activities} records was erased, and ${messages} messages were removed.`,
    ...(live.length === 0
      ? []
      : [`${live.length} records are of requests that may still be repeated: erase again in an hour.`]),
    ...(shared === 0
      ? []
      : [`${shared} contacts belong to other users now: requests that name only these were left.`]),
    ...(invitations.length === 0
      ? []
      : [`Invitations to this user are still open: delete ${invitations.join(', ')}.`]),
    'Earlier backups, archives, exports and logs still contain all of it.',
  ].join('\n')
}
