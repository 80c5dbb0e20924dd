import { realWorld } from '../../../trusted/base/real-world.ts'
import type { Config } from '../../app/config.ts'
import { openArchivePlace } from '../../app/open-archive-place.ts'
import { packageVersion } from '../../app/package-version.ts'
import { ARCHIVED_AFTER_DAYS_MIN, archivable } from '../../copies/archivable.ts'
import { type ArchivedFile, archiveMonth } from '../../copies/archive-month.ts'
import { SCHEMA_STEP } from '../../store/schema-step.ts'
import { readArguments } from '../arguments.ts'
import { giveWay } from '../give-way.ts'
import { identitiesIn } from '../identities-in.ts'
import { progress } from '../progress.ts'
import { UsageError } from '../usage.ts'
import { withData } from '../with-data.ts'
import type { ExitCode } from '../exit-codes.ts'

const OPTIONS = {
  to: { type: 'string' },
  'older-than': { type: 'string' },
  recipient: { type: 'string', multiple: true },
  identity: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const

const OLDER_THAN_DAYS = 90

/** `claviger archive make`: moves the activities of each past month from the store into a file. */
export async function make(config: Config, args: readonly string[]): Promise<ExitCode<'archive make'>> {
  const { to: folder, recipient = [], identity = [], json = false, ...rest } = readArguments(args, OPTIONS)
  if (folder === undefined) throw new UsageError('name the folder of the archives: --to FOLDER')
  const olderThanDays = daysIn(rest['older-than'])
  if (recipient.length > 0 && identity.length === 0)
    throw new UsageError(
      'an archive is read back before anything is removed from the store: name the file of an identity of the recipient with --identity',
    )
  const identities = identitiesIn(identity)
  const done = { looked: 0, written: 0, removed: 0 }
  const { tell } = progress(
    () =>
      `read ${done.looked} activities, wrote ${done.written}, removed ${done.removed} of them from the store`,
  )
  const place = await openArchivePlace(folder)
  giveWay()
  await withData(config, async ({ store, vault }) => {
    await place.prepare()
    const now = realWorld.now()
    const looked = (rows: number): void => {
      done.looked += rows
      tell()
    }
    const found = await archivable(store, { now, olderThanDays, paused: looked })
    const files: ArchivedFile[] = []
    for (const month of found.months.keys())
      files.push(
        ...(await archiveMonth(
          {
            store,
            vault,
            place,
            recipients: recipient,
            identities,
            randomBytes: realWorld.randomBytes,
            about: { claviger: packageVersion(), schema: SCHEMA_STEP, copiedAt: now },
            paused: async (step, rows) => {
              if (step === 'written' || step === 'removed') done[step] += rows
              tell()
            },
          },
          found,
          month,
        )),
      )
    process.stdout.write(`${json ? JSON.stringify({ files }) : lines(files, olderThanDays).join('\n')}\n`)
  })
  return 0
}

function daysIn(text: string | undefined): number {
  if (text === undefined) return OLDER_THAN_DAYS
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  if (days === undefined || Number(days) < ARCHIVED_AFTER_DAYS_MIN)
    throw new UsageError(
      `--older-than is a number of days such as ${OLDER_THAN_DAYS}d, and at least ${ARCHIVED_AFTER_DAYS_MIN}d, not ${text}`,
    )
  return Number(days)
}

function lines(files: readonly ArchivedFile[], olderThanDays: number): readonly string[] {
  if (files.length === 0)
    return [`No month that has ended ${olderThanDays} days ago has settled activities in the store.`]
  return [
    ...files.flatMap(({ path, activities, stay, month, isOther = false }) => [
      isOther
        ? `${path}: left as it is, because it was made before this data was restored, and says something else of an activity. Move it to another folder.`
        : `${path}: ${activities} activities of ${month}, now gone from the store`,
      ...(stay === 0
        ? []
        : [
            `${stay} more were erased after that file was written: they stay in the store, and the file has them unerased.`,
          ]),
    ]),
    'Keep these files like backups: the store no longer has these activities.',
  ]
}
