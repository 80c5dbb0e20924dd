import type { HostShown, Release } from '../../rotation/hosts.ts'
import { type AppliedMigration, type Migration, pendingMigrations } from '../../store/migrations.ts'
import { formatsAfter, oldestReaderOf, type StoredFormats } from '../../store/schema-step.ts'

/** The effect of this version on the data, and whether hosts can be replaced one after another. */
export type UpgradePlan = {
  readonly rolling: boolean
  readonly store: 'sqlite' | 'postgres'
  readonly claviger: string
  readonly schema: {
    /** The number of the newest applied step. */
    readonly data: number
    /** The number of the newest step that this version knows. */
    readonly known: number
    readonly steps: readonly Pick<Migration, 'number' | 'name' | 'kind' | 'release'>[]
  }
  /** The formats that are written now, if the data contains them, and by this version. */
  readonly formats: { readonly before: Release['formats'] | null; readonly after: Release['formats'] }
  readonly hosts: readonly {
    readonly id: string
    readonly name: string
    readonly claviger: string | null
    readonly schema: number | null
    /** The reason why it cannot run beside this version. */
    readonly trouble: string | null
  }[]
  /** The reasons why hosts cannot be replaced one after another. */
  readonly obstacles: readonly string[]
  readonly next: readonly string[]
}

/** @throws StoreError `foreign` if this version may not use the data at all */
export function upgradePlan({
  store,
  release,
  known,
  applied,
  hosts,
}: {
  readonly store: UpgradePlan['store']
  readonly release: Release
  readonly known: readonly Migration[]
  readonly applied: readonly AppliedMigration[]
  readonly hosts: readonly HostShown[]
}): UpgradePlan {
  const pending = pendingMigrations(known, applied)
  const data = Math.max(0, ...applied.map(({ number }) => number))
  const needed = Math.max(0, ...pending.map((step) => oldestReaderOf(known, step)))
  const judged = hosts.map((host) => ({ host, trouble: troubleOf(host, { release, needed }) }))
  const obstacles = [
    ...(store === 'sqlite' ? ['the embedded store has one host, which stops before another one starts'] : []),
    ...pending
      .filter(({ kind }) => kind === 'contract')
      .map(({ number, name }) => `step ${number} (${name}) permits no host of an older version beside it`),
    ...judged.flatMap(({ host, trouble }) =>
      trouble === null ? [] : [`${host.name} (${host.id}) ${trouble}`],
    ),
  ]
  const rolling = obstacles.length === 0
  return {
    rolling,
    store,
    claviger: release.claviger,
    schema: {
      data,
      known: known.length,
      steps: pending.map(({ number, name, kind, release: from }) => ({ number, name, kind, release: from })),
    },
    formats: { before: written(formatsAfter(known, data)), after: release.formats },
    hosts: judged.map(({ host, trouble }) => ({
      id: host.id,
      name: host.name,
      claviger: host.release?.claviger ?? null,
      schema: host.release?.schema ?? null,
      trouble,
    })),
    obstacles,
    next: nextSteps({ rolling, hosts, isStepping: pending.length > 0 }),
  }
}

/** The number of the schema implies the formats; for development versions, the formats are compared nevertheless. */
function troubleOf(
  { release: theirs }: HostShown,
  { release: ours, needed }: { readonly release: Release; readonly needed: number },
): string | null {
  if (theirs === undefined) return 'does not say which version it is'
  if (theirs.schema < needed)
    return `knows the schema up to step ${theirs.schema}, and what this version adds needs hosts that know step ${needed}`
  for (const name of FORMATS) {
    if (theirs.formats[name].reads < ours.formats[name].writes)
      return `does not read what this version writes (${name}, format ${ours.formats[name].writes})`
    if (ours.formats[name].reads < theirs.formats[name].writes)
      return `writes what this version does not read (${name}, format ${theirs.formats[name].writes})`
  }
  return null
}

export const FORMATS = ['charter', 'seal', 'record'] as const

function written(formats: StoredFormats | undefined): Release['formats'] | null {
  if (formats === undefined) return null
  const { charter, seal, record } = formats
  return { charter, seal, record }
}

function nextSteps({
  rolling,
  hosts,
  isStepping,
}: {
  readonly rolling: boolean
  readonly hosts: readonly HostShown[]
  readonly isStepping: boolean
}): readonly string[] {
  const backup = isStepping ? ['make a backup with the version that runs: claviger backup --out FILE'] : []
  if (rolling)
    return [
      ...backup,
      'replace one host after another: stop it, start this version, and wait until its /readyz answers 200',
    ]
  const stopping =
    hosts.length === 0
      ? 'stop all programs that use the data; no host has announced itself'
      : `stop ${hosts.map(({ name, id }) => `${name} (${id})`).join(', ')}`
  return [
    ...backup,
    stopping,
    'then start this version on one host, wait until its /readyz answers 200, and start the others',
  ]
}
