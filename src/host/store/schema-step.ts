/**
 * A format of texts that stand in the store: the newest one that is read, and the one that is written. Older ones are
 * read for ever. A format is read a release before it is written, so that a host of the release before can read what it
 * finds.
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

/** A step from an older schema to a newer one, as both engines take it. */
export type SchemaStep = {
  readonly number: number
  readonly name: string
  /** The version of Claviger that brings it. */
  readonly release: string
  /**
   * Beside an `expand` step hosts of the release before run on: it adds what they can leave alone. Everything else is a
   * `contract` step, which begins when all hosts of before have stopped. Before the first release there is nobody to
   * run beside.
   */
  readonly kind: 'expand' | 'contract'
  /**
   * Of a contract step: the number of the expand step, of an earlier release, since which nobody needs what it takes
   * away.
   */
  readonly after?: number
  /** From this step on, where they are others than before. */
  readonly formats?: StoredFormats
}

/**
 * The steps of both engines, in order. `schema-step.test.ts` holds them to the rules of `docs/decisions/upgrades.md`. A
 * step of a release is never changed.
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
]

/** The number of the newest step of the schema that this version knows; it is the same for both engines. */
export const SCHEMA_STEP = schemaSteps.length

/** The formats after the steps up to this one; undefined before any step has said. */
export function formatsAfter(steps: readonly SchemaStep[], number: number): StoredFormats | undefined {
  return steps.findLast((step) => step.number <= number && step.formats !== undefined)?.formats
}

/**
 * The number of the oldest schema whose hosts may run beside this step: the newest of the releases before, or the step
 * itself. A host that knows fewer steps stops.
 */
export function oldestReaderOf(steps: readonly SchemaStep[], step: SchemaStep): number {
  if (step.kind === 'contract') return step.number
  return (
    steps.findLast(({ number, release }) => number < step.number && release !== step.release)?.number ?? 0
  )
}
