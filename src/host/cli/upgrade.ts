import { existsSync } from 'node:fs'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Ms } from '../../trusted/base/world.ts'
import type { Config } from '../app/config.ts'
import { sqlitePath } from '../app/open-store.ts'
import { packageVersion } from '../app/package-version.ts'
import { HOST_NOTE } from '../copies/store-notes.ts'
import { type HostShown, hostsIn, releaseOf } from '../rotation/hosts.ts'
import { lookAtPostgresSchema } from '../store/postgres/schema-look.ts'
import { postgresMigrations } from '../store/postgres/schema.ts'
import { lookAtSqliteSchema } from '../store/sqlite/schema-look.ts'
import { sqliteMigrations } from '../store/sqlite/schema.ts'
import { readArguments } from './arguments.ts'
import { printable, printableJson } from './policies/printable.ts'
import { ROTATION_PATH } from '../http/operator-routes.ts'
import type { RotationState } from '../rotation/rotation-orders.ts'
import { askService } from './ask-data.ts'
import { ServiceError, ServiceUnreachable } from './signed-query.ts'
import { type BackupNoted, notedBackup } from './backup-noted.ts'
import { FORMATS, type UpgradePlan, upgradePlan } from './upgrade/upgrade-plan.ts'
import { UsageError } from './usage.ts'
import type { ExitCode } from './exit-codes.ts'

/** `claviger upgrade --check`: whether this version can replace the hosts one after another. It changes nothing. */
export async function upgrade(config: Config, args: readonly string[]): Promise<ExitCode<'upgrade'>> {
  const { check = false, json = false } = readArguments(args, {
    check: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  if (!check)
    throw new UsageError(
      'it only checks: claviger upgrade --check; the first host of a version brings the data to it when it starts',
    )
  const plan = await planFor(config)
  const lastBackup = notedBackup(config)
  const told = json
    ? printableJson({ ...plan, lastBackup: lastBackup ?? null }, 2)
    : [...lines(plan), backupLine(config, lastBackup, realWorld.now())].join('\n')
  process.stdout.write(`${told}\n`)
  return plan.rolling ? 0 : 1
}

async function planFor(config: Config): Promise<UpgradePlan> {
  const release = releaseOf(packageVersion())
  const { databaseUrl } = config
  if (databaseUrl === undefined) {
    const { applied } = lookAtSqliteSchema(sqlitePath(config))
    const hosts = await hostOfEmbedded(config)
    return upgradePlan({ store: 'sqlite', release, known: sqliteMigrations, applied, hosts })
  }
  const { applied, notes } = await lookAtPostgresSchema(databaseUrl, HOST_NOTE)
  const hosts = hostsIn(notes, realWorld.now())
  return upgradePlan({ store: 'postgres', release, known: postgresMigrations, applied, hosts })
}

async function hostOfEmbedded(config: Config): Promise<readonly HostShown[]> {
  try {
    const order = { do: 'state' }
    // The answer is that of `carryOutRotation` there.
    const state = (await askService(
      config,
      ROTATION_PATH,
      order,
      new ServiceUnreachable('no service runs'),
    )) as RotationState
    return state.hosts
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}

function lines({
  rolling,
  store,
  claviger,
  schema,
  formats,
  hosts,
  obstacles,
  next,
}: UpgradePlan): readonly string[] {
  return [
    `this version is ${claviger}; the data are in ${store === 'sqlite' ? 'the embedded store' : 'PostgreSQL'}`,
    `the schema of the data is at step ${schema.data}, and this version knows ${schema.known}`,
    ...schema.steps.map(
      ({ number, name, kind, release }) => `  step ${number} (${name}, ${release})  ${kind}`,
    ),
    ...FORMATS.map((name) => formatLine(name, formats)),
    hosts.length === 0 ? 'no host has announced itself' : 'hosts',
    ...hosts.map((host) => {
      const version = host.claviger === null ? 'of an unknown version' : `runs ${host.claviger}`
      return printable(
        `  ${host.name} (${host.id})  ${version}${host.schema === null ? '' : `, knows step ${host.schema}`}`,
      )
    }),
    rolling
      ? 'ok  hosts can be replaced one after another'
      : '!!  hosts cannot be replaced one after another: all have to stop',
    ...obstacles.map((obstacle) => printable(`!!    ${obstacle}`)),
    ...next.map((step, at) => printable(`${at + 1}. ${step}`)),
  ]
}

/** Another machine may have made a newer backup, which it notes beside its own data folder. */
function backupLine(
  { dataFolder }: Pick<Config, 'dataFolder'>,
  noted: BackupNoted | undefined,
  now: Ms,
): string {
  if (noted === undefined) return `no backup is noted in ${dataFolder}`
  const { copiedAt, file } = noted
  const isThere = existsSync(file) ? '' : ', which is not there any more'
  return printable(
    `the last backup noted in ${dataFolder} is ${ageText(now - copiedAt)} old (${new Date(copiedAt).toISOString()}): ${file}${isThere}`,
  )
}

function ageText(ms: Ms): string {
  const hours = Math.max(0, ms) / 3_600_000
  if (hours < 1) return 'less than an hour'
  return hours < 48 ? `${Math.floor(hours)} hours` : `${Math.floor(hours / 24)} days`
}

function formatLine(name: (typeof FORMATS)[number], { before, after }: UpgradePlan['formats']): string {
  const is = before === null ? 'unsaid' : before[name].writes
  const becomes = after[name].writes
  return `${name}s are written in format ${is === becomes ? becomes : `${is}, then ${becomes}`}; up to ${after[name].reads} is read`
}
