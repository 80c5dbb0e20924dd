import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Vault } from '../../../protocol/vault.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { activityView } from '../../../trusted/vault/activity-view.ts'
import type { Config } from '../../app/config.ts'
import { startVault } from '../../app/start-vault.ts'
import { readArchiveFileName } from '../../copies/archive-note.ts'
import { CopyError } from '../../copies/copy-error.ts'
import { openCopy } from '../../copies/read-copy.ts'
import { verifyRequest } from '../../copies/verify-request.ts'
import { SCHEMA_STEP } from '../../store/schema-step.ts'
import { readArguments } from '../arguments.ts'
import { identitiesIn } from '../identities-in.ts'
import { progress } from '../progress.ts'
import { UsageError } from '../usage.ts'

const OPTIONS = {
  in: { type: 'string' },
  organization: { type: 'string' },
  activity: { type: 'string' },
  identity: { type: 'string', multiple: true },
} as const

/** Where something that was looked for is not there. */
const NOT_FOUND = 3

/** `claviger archive find`: the archived activities of an organization, or one of them, as `get_activity` answered them. */
export async function find(config: Config, args: readonly string[]): Promise<number> {
  const { in: folder, organization, activity, identity = [] } = readArguments(args, OPTIONS)
  if (folder === undefined || organization === undefined)
    throw new UsageError(
      'name the folder of the archives, and the organization: --in FOLDER --organization ID',
    )
  const files = readdirSync(folder)
    .filter((name) => readArchiveFileName(name) !== undefined)
    .toSorted()
  if (files.length === 0) throw new UsageError(`there is no archive in ${folder}`)
  const identities = identitiesIn(identity)
  const isWanted = (row: ActivityRow): boolean =>
    row.organizationId === organization && (activity === undefined || row.activityId === activity)
  let read = 0
  const { tell } = progress(() => `read ${read} activities`)
  let found = 0
  const spawned = startVault(config)
  try {
    await spawned.ready
    for (const file of files)
      for await (const rows of activitiesIn(join(folder, file), spawned.vault, identities)) {
        read += rows.length
        tell()
        const wanted = rows.filter(isWanted)
        await checkRows(spawned.vault, wanted)
        for (const row of wanted) process.stdout.write(`${activityView(row, '', realWorld.now())}\n`)
        found += wanted.length
      }
  } finally {
    await spawned.end()
  }
  if (found > 0) return 0
  process.stderr.write(`no archived activity ${activity ?? ''} of organization ${organization} was found\n`)
  return NOT_FOUND
}

async function* activitiesIn(
  path: string,
  vault: Vault,
  identities: readonly string[],
): AsyncGenerator<readonly ActivityRow[]> {
  const copy = await openCopy(path, vault, { identities, schema: SCHEMA_STEP })
  if (copy.beginning.archive === undefined) throw new CopyError(`${path} is no archive of activities`)
  for await (const page of copy.pages()) if (page.table === 'activities') yield page.rows
}

/** Nothing is shown that the vault has not sealed. */
async function checkRows(vault: Pick<Vault, 'verify'>, rows: readonly ActivityRow[]): Promise<void> {
  const { request, problems: untaken } = verifyRequest({ table: 'activities', rows })
  const { problems } = rows.length === 0 ? { problems: [] } : await vault.verify(request)
  const [problem] = [...untaken, ...problems]
  if (problem !== undefined) throw new CopyError(`${problem.what}: ${problem.problem}`)
}
