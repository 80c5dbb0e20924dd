import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import type { OpenAgain } from './conformance-promise.ts'
import { aCharter, anId, aRecord, aRequest, holderOf } from './fixtures.ts'
import { aJobStep, assertSameJobs, committing, type Numbers } from './job-steps.ts'
import { STATUSES, subsets, TYPES } from './listing-filters.ts'
import { type MemoryModel, memoryModel } from './memory-model.ts'
import type { Store } from '../store.ts'

/** Random sequences of units, compared with the model. */
export function storeAgreesWithModel(
  engine: string,
  { fresh, runs }: { readonly fresh: (t: TestContext) => Promise<OpenAgain>; readonly runs: number },
): void {
  test(`${engine}: any sequence of units leaves what the model leaves`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { maxLength: 60 }), async (steps) => {
        const open = await fresh(t)
        await assertAgrees(await open(), steps)
      }),
      { numRuns: runs },
    )
  })
}

type Step = { readonly run: (store: Store, model: MemoryModel, numbers: Numbers) => Promise<void> }

/**
 * Closes the store in any case: a failing sequence is tried again in hundreds of shorter ones, each with a store of its
 * own.
 */
export async function assertAgrees(store: Store, steps: readonly Step[]): Promise<void> {
  try {
    const model = memoryModel()
    const numbers: Numbers = []
    for (const step of steps) await step.run(store, model, numbers)
    await assertSame(store, model)
    await assertSameJobs(store, model)
  } finally {
    await store.close()
  }
}

// Few ids and few versions, so that units meet.
const organizationId = fc.constantFrom('org', 'parent', 'other')
const version = fc.integer({ min: 0, max: 3 })
const guard = rec({ organizationId, version })
const instant = fc.integer({ min: 0, max: 20 })
const entry = rec({
  scope: fc.constantFrom('org', 'other'),
  kind: fc.constantFrom('name', 'email'),
  value: fc.constantFrom('a', 'b'),
  target: fc.constantFrom('t1', 't2', 'T3', 'ü'),
})
const object = rec({
  organizationId,
  kind: fc.constantFrom('privateKey', 'wallet'),
  objectId: fc.constantFrom('k1', 'k2', 'k3'),
  body: fc.constantFrom('{}', '{"a":1}'),
  seal: fc.constantFrom('s1', 's2'),
  expiresAt: fc.constantFrom(null, 5, 10),
})
const objectGuard = rec({
  organizationId,
  kind: fc.constantFrom('privateKey', 'wallet'),
  objectId: fc.constantFrom('k1', 'k2', 'k3'),
  seal: fc.constantFrom(null, null, 's1', 's2'),
})
const job = rec({
  organizationId,
  jobId: fc.constantFrom('e1', 'e2', 'e3'),
  kind: fc.constantFrom<('email' | 'sms')[]>('email', 'sms'),
  seal: fc.constantFrom('s1', 's2'),
  createdAt: instant,
})
const audience = fc.array(fc.constantFrom('org', 'parent', 'other'), { maxLength: 3 })
const listener = rec({
  scope: fc.constantFrom('org', 'parent', 'other'),
  kind: fc.constant('WEBHOOK'),
  value: fc.constant(''),
  target: fc.constantFrom('w1', 'w2', 'W3'),
})
const row = rec({
  organizationId,
  n: fc.integer({ min: 0, max: 12 }),
  id: fc.integer({ min: 0, max: 12 }),
  status: fc.constantFrom(...STATUSES),
  type: fc.constantFrom(...TYPES),
  awaited: fc.constantFrom<(0 | 1)[]>(0, 1),
  revision: fc.integer({ min: 1, max: 3 }),
  updatedAt: instant,
  intent: fc.json(),
}).map(({ n, id, ...parts }) => aRequest(n, { ...parts, activityId: anId(id) }))
const lists = <T>(item: fc.Arbitrary<T>) =>
  rec({ put: fc.array(item, { maxLength: 3 }), remove: fc.array(item, { maxLength: 2 }) })
const amended = fc.uniqueArray(guard, { maxLength: 2, selector: (item) => item.organizationId })
const anyUnit: fc.Arbitrary<Unit> = rec({
  amended,
  guards: fc.array(guard, { maxLength: 2 }),
  activity: fc.option(
    row.chain((item) =>
      rec({ row: fc.constant(item), replaces: fc.constantFrom(null, item.revision - 1), audience }),
    ),
    { nil: undefined },
  ),
  objects: lists(object).map(({ put, remove }) => ({ put: uniqueBy(put), remove })),
  objectGuards: fc.array(objectGuard, { maxLength: 1 }),
  jobs: fc.array(job, { maxLength: 2 }),
  claims: lists(entry),
  directory: lists(fc.oneof(entry, listener)),
  body: fc.json(),
}).map(({ amended, guards, activity, body, ...rest }) => ({
  ...rest,
  guards: [...amended, ...guards],
  charters: amended.map((item) => aCharter(item.organizationId, item.version + 1, body)),
  ...(activity && { activity }),
}))
const record: fc.Arbitrary<Unit> = fc
  .tuple(row, fc.array(guard, { maxLength: 2 }), audience)
  .map(([item, guards, heardBy]) => aRecord(item, guards, heardBy))
// Only bare records are ordered among themselves when they are committed together, and only when each has an id and a
// request of its own: of two that meet, PostgreSQL may tell another conflict. More than two listeners are no bare
// record.
const aBatch = fc.oneof(
  anyUnit.map((unit) => [unit]),
  fc
    .uniqueArray(record, { minLength: 1, maxLength: 6, comparator: meet })
    .map((units) => units.map(withinBatch)),
)

function meet(unit: Unit, other: Unit): boolean {
  const [a, b] = [unit.activity?.row, other.activity?.row]
  return a?.activityId === b?.activityId || a?.fingerprint === b?.fingerprint
}

function withinBatch(unit: Unit): Unit {
  const { activity } = unit
  return activity === undefined
    ? unit
    : { ...unit, activity: { ...activity, audience: activity.audience.slice(0, 2) } }
}

const aStep = fc.oneof(
  { weight: 3, arbitrary: aBatch.map((units) => committing(units)) },
  { weight: 2, arbitrary: aJobStep },
)

function uniqueBy<T extends { objectId: string; kind: string; organizationId: string }>(list: T[]): T[] {
  return [
    ...new Map(list.map((item) => [`${item.organizationId} ${item.kind} ${item.objectId}`, item])).values(),
  ]
}

async function assertSame(store: Store, model: MemoryModel): Promise<void> {
  for (const id of ['org', 'parent', 'other']) {
    assert.deepEqual(
      await store.charter(id),
      model.charters().find((item) => item.organizationId === id),
    )
    for (const statuses of subsets(STATUSES)) {
      const filter = { ...(statuses && { statuses }) }
      const page = { limit: 5 }
      assert.deepEqual(await store.activities(id, filter, page), model.activities(id, filter, page))
    }
    for (const kind of ['privateKey', 'wallet']) {
      const expected = model
        .objects()
        .filter((item) => item.organizationId === id && item.kind === kind)
        .sort((a, b) => (a.objectId < b.objectId ? -1 : 1))
      assert.deepEqual(await store.objectsOfKind(id, kind, { limit: 100 }), expected)
      assert.deepEqual(await store.newestOfKind(id, kind, { limit: 100 }), expected.toReversed())
    }
  }
  for (const item of model.activityRows()) {
    assert.deepEqual(await store.activity(item.organizationId, item.activityId), item)
    assert.deepEqual(await store.activityOfRequest(item), item)
  }
  for (const scope of ['org', 'other'])
    for (const kind of ['name', 'email']) {
      for (const prefix of ['', 'a']) {
        const key = { scope, kind, prefix }
        const page = { limit: 3, after: { value: 'a', target: 't1' } }
        assert.deepEqual(await store.findPrefix(key, { limit: 99 }), model.findPrefix(key, { limit: 99 }))
        assert.deepEqual(await store.findPrefix(key, page), model.findPrefix(key, page))
      }
      for (const value of ['a', 'b']) {
        const holder = model
          .claims()
          .find((item) => item.scope === scope && item.kind === kind && item.value === value)
        assert.equal(await holderOf(store, scope, kind, value), holder?.target)
        const key = { scope, kind, value }
        const page = { limit: 2, after: 't1' }
        assert.deepEqual(await store.find(key, { limit: 9 }), model.find(key, { limit: 9 }))
        assert.deepEqual(await store.find(key, page), model.find(key, page))
      }
    }
}

// fast-check makes some records without a prototype by default.
function rec<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true })
}
