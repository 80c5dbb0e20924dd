import { realWorld } from '../../trusted/base/real-world.ts'
import { AHEAD_MAX_MS } from '../../trusted/vault/memory/request-age.ts'
import type { Config } from '../app/config.ts'
import { withStoreLoader } from '../app/store-loader.ts'
import { localFile } from '../copies/local-file.ts'
import { openCopy } from '../copies/read-copy.ts'
import { restoreCopy } from '../copies/restore-copy.ts'
import { SCHEMA_STEP } from '../store/schema-step.ts'
import { readArguments } from './arguments.ts'
import { identitiesIn } from './identities-in.ts'
import { instant } from './instant.ts'
import { printable, printableJson } from './policies/printable.ts'
import { progress } from './progress.ts'
import { UsageError } from './usage.ts'
import { withVault } from './with-vault.ts'
import type { ExitCode } from './exit-codes.ts'
import { CommandError } from './command-error.ts'

/** `claviger restore`: puts the data of a backup into an empty store. */
export async function restore(config: Config, args: readonly string[]): Promise<ExitCode<'restore'>> {
  const options = readArguments(args, {
    from: { type: 'string' },
    identity: { type: 'string', multiple: true },
    'lost-at': { type: 'string' },
    json: { type: 'boolean' },
  })
  const { from } = options
  if (from === undefined) throw new UsageError('name the file of the backup: --from FILE')
  const now = realWorld.now()
  const lostAt =
    options['lost-at'] === undefined ? now : Math.min(now, instant(options['lost-at'], '--lost-at'))
  let rows = 0
  const { tell } = progress(() => `restored ${rows} rows`)
  await withVault(config, async (vault) => {
    const identities = identitiesIn(options.identity ?? [])
    const copy = await openCopy(await localFile(from), vault, { identities, schema: SCHEMA_STEP })
    const { copiedAt } = copy.beginning
    if (now < copiedAt)
      throw new CommandError(
        `the clock of this machine is at ${at(now)}, and the backup was made at ${at(copiedAt)}: set the clock`,
      )
    if (lostAt < copiedAt)
      throw new CommandError(`--lost-at is before ${at(copiedAt)}, when the backup was made`)
    const { manifest, mails, unannounced } = await withStoreLoader(config, (loader) =>
      restoreCopy(copy, {
        vault,
        loader,
        restored: { copiedAt, lostAt },
        paused: (page) => {
          rows += page.rows.length
          tell()
        },
      }),
    )
    const acceptsFrom = lostAt + AHEAD_MAX_MS
    const text =
      options.json === true
        ? printableJson({
            rows,
            mails,
            unannounced,
            copiedAt,
            lostAt,
            acceptsFrom,
            tables: manifest.tables,
          })
        : [
            `Restored ${rows} rows as they stood at ${at(copiedAt)}. ${mails} mails to root users are sent when the service starts.`,
            `Only requests are carried out that were made after ${at(acceptsFrom)}: earlier ones may have been carried out and lost.`,
            ...untold(unannounced),
          ]
            .map(printable)
            .join('\n')
    process.stdout.write(`${text}\n`)
  })
  return 0
}

function untold(organizationIds: readonly string[]): readonly string[] {
  if (organizationIds.length === 0) return []
  const named = organizationIds.slice(0, NAMED_MAX).join(', ')
  const more = organizationIds.length > NAMED_MAX ? ` and ${organizationIds.length - NAMED_MAX} more` : ''
  return [
    `The root users of these organizations get no mail, because the charter does not carry the vault's seal, as claviger verify tells: ${named}${more}`,
  ]
}

const NAMED_MAX = 10

function at(instant: number): string {
  return new Date(instant).toISOString()
}
