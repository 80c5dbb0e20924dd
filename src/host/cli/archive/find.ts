import type { Vault } from '../../../protocol/vault.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { activityView } from '../../../trusted/vault/records/activity-view.ts'
import type { Config } from '../../app/config.ts'
import { openArchivePlace } from '../../app/open-archive-place.ts'
import { readArchiveFileName } from '../../copies/archive-note.ts'
import type { ArchivePlace } from '../../copies/archive-place.ts'
import { checkRows } from '../../copies/check-rows.ts'
import { aboutFile, CopyError } from '../../copies/copy-error.ts'
import { openCopy } from '../../copies/read-copy.ts'
import { SCHEMA_STEP } from '../../store/schema-step.ts'
import { readArguments } from '../arguments.ts'
import { identitiesIn } from '../identities-in.ts'
import { escapedJson } from '../policies/printable.ts'
import { countingProgress } from '../progress.ts'
import { UsageError } from '../usage.ts'
import { withVault } from '../with-vault.ts'
import type { ExitCode } from '../exit-codes.ts'
import { CommandError } from '../command-error.ts'

const OPTIONS = {
  in: { type: 'string' },
  organization: { type: 'string' },
  activity: { type: 'string' },
  identity: { type: 'string', multiple: true },
} as const

/** The exit code if the wanted activity is missing. */
const NOT_FOUND = 3

/**
 * `claviger archive find`: the archived activities of an organization, or one of them, in the form of `get_activity`.
 */
export async function find(config: Config, args: readonly string[]): Promise<ExitCode<'archive find'>> {
  const { in: folder, organization, activity, identity = [] } = readArguments(args, OPTIONS)
  if (folder === undefined || organization === undefined)
    throw new UsageError(
      'name the folder of the archives, and the organization: --in FOLDER --organization ID',
    )
  const place = await openArchivePlace(folder)
  const files = (await place.list()).filter((name) => readArchiveFileName(name) !== undefined).toSorted()
  if (files.length === 0) throw new CommandError(`there is no archive in ${folder}`)
  const identities = identitiesIn(identity)
  const isWanted = (row: ActivityRow): boolean =>
    row.organizationId === organization && (activity === undefined || row.activityId === activity)
  const tell = countingProgress((read) => `read ${read} activities`)
  let found = 0
  await withVault(config, async (vault) => {
    tell(0)
    for (const file of files)
      try {
        for await (const rows of activitiesIn(place, file, { vault, identities })) {
          tell(rows.length)
          const wanted = rows.filter(isWanted)
          await checkRows(vault, wanted)
          for (const row of wanted)
            process.stdout.write(`${escapedJson(activityView(row, '', realWorld.now()))}\n`)
          found += wanted.length
        }
      } catch (error) {
        throw error instanceof CopyError ? aboutFile(error, file) : error
      }
  })
  if (found > 0) return 0
  process.stderr.write(`no archived activity ${activity ?? ''} of organization ${organization} was found\n`)
  return NOT_FOUND
}

async function* activitiesIn(
  place: ArchivePlace,
  name: string,
  { vault, identities }: { readonly vault: Vault; readonly identities: readonly string[] },
): AsyncGenerator<readonly ActivityRow[]> {
  const file = await place.open(name)
  if (file === undefined) throw new CopyError(`${name} is not in ${place.address} any more`)
  const copy = await openCopy(file, vault, { identities, schema: SCHEMA_STEP })
  if (copy.beginning.archive === undefined)
    throw new CopyError(`${file.path} is not an archive of activities`)
  for await (const page of copy.pages()) if (page.table === 'activities') yield page.rows
}
