/**
 * A format of texts in the store: the newest one that is read, and the one that is written. Older formats stay readable
 * for ever. A format is read one release before it is written, so that a host of the previous release can read all
 * texts.
 */
type Format = { readonly reads: number; readonly writes: number }

/**
 * The formats of charters, of seals and of records, and the version of the protocol to the vault, which writes two of
 * them.
 */
export type StoredFormats = {
  readonly charter: Format
  readonly seal: Format
  readonly record: Format
  readonly protocol: number
}

/** A step from an older schema to a newer one, the same for both engines. */
export type SchemaStep = {
  readonly number: number
  readonly name: string
  /** The version of Claviger that introduces it. */
  readonly release: string
  /**
   * Hosts of the previous release continue to run beside an `expand` step: its additions do not concern them. All other
   * steps are `contract` steps, which begin after all hosts of the previous release have stopped. Before the first
   * release there are no such hosts.
   */
  readonly kind: 'expand' | 'contract'
  /**
   * For a contract step: the number of the expand step, of an earlier release, since which the removed parts are
   * unused.
   */
  readonly after?: number
  /** The formats from this step on, if they change. */
  readonly formats?: StoredFormats
}

/**
 * The steps of both engines, in order. `schema-step.test.ts` checks the rules of `docs/decisions/upgrades.md`. A
 * released step never changes.
 */
export const schemaSteps: readonly SchemaStep[] = [
  { number: 1, name: 'tables', release: '0.1.0', kind: 'contract' },
  { number: 2, name: 'errands', release: '0.1.0', kind: 'contract' },
  { number: 3, name: 'listing', release: '0.1.0', kind: 'contract' },
  { number: 4, name: 'searches', release: '0.1.0', kind: 'contract' },
  { number: 5, name: 'record texts', release: '0.1.0', kind: 'contract' },
  {
    number: 6,
    name: 'oldest readers',
    release: '0.1.0',
    kind: 'contract',
    formats: {
      charter: { reads: 3, writes: 3 },
      seal: { reads: 2, writes: 2 },
      record: { reads: 1, writes: 1 },
      protocol: 10,
    },
  },
  { number: 7, name: 'tenants', release: '0.1.0', kind: 'contract' },
]

/** The number of the newest step of the schema that this version knows; it is the same for both engines. */
export const SCHEMA_STEP = schemaSteps.length

/** The formats after the steps up to this one; undefined before the first step with formats. */
export function formatsAfter(steps: readonly SchemaStep[], number: number): StoredFormats | undefined {
  return steps.findLast((step) => step.number <= number && step.formats !== undefined)?.formats
}

/**
 * The number of the oldest schema whose hosts may run beside this step: the newest of the previous releases, or the
 * step itself. A host that knows fewer steps stops.
 */
export function oldestReaderOf(steps: readonly SchemaStep[], step: SchemaStep): number {
  if (step.kind === 'contract') return step.number
  return (
    steps.findLast(({ number, release }) => number < step.number && release !== step.release)?.number ?? 0
  )
}
