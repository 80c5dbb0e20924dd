import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import type { MemoryModel } from './memory-model.ts'
import type { Job, MalformedJob, Lease, Store } from '../store.ts'

/** One step on a store and on its model, with a comparison; its text describes the step when a run fails. */
type Step = {
  readonly does: string
  readonly with: unknown
  readonly run: (store: Store, model: MemoryModel, numbers: Numbers) => Promise<void>
}

/**
 * Under which numbers both know the jobs that were handed out so far, oldest first. They need not be the same: an
 * engine may leave numbers out.
 */
export type Numbers = { readonly store: number; readonly model: number }[]

export function committing(units: readonly Unit[]): Step {
  return {
    does: 'commit',
    with: units,
    run: async (store, model) => {
      const results = await Promise.all(units.map(store.commit))
      assert.deepEqual(results, units.map(model.commit))
    },
  }
}

// Late and repeated answers come about by themselves: any job that was ever handed out may be named.
const which = fc.nat(20)
const instant = fc.integer({ min: 0, max: 40 })
const lease = fc.record({ now: instant, leaseMs: fc.integer({ min: 0, max: 10 }) })
const failure = fc.constantFrom('timed out', 'refused')
const webhook = fc.record(
  {
    scope: fc.constantFrom('org', 'other'),
    target: fc.constantFrom('w1', 'w2'),
    organizationId: fc.constantFrom('org', 'other'),
    activityId: fc.constantFrom('a1', 'a2'),
    revision: fc.nat(3),
  },
  { noNullPrototype: true },
)

export const aJobStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(instant, fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 4 })).map(taking),
  },
  { weight: 2, arbitrary: fc.tuple(which, fc.option(lease, { nil: undefined })).map(finishing) },
  { weight: 1, arbitrary: fc.tuple(which, fc.nat(2), instant, failure).map(postponing) },
  { weight: 1, arbitrary: fc.tuple(which, fc.nat(2), instant).map(puttingBack) },
  { weight: 2, arbitrary: fc.tuple(which, failure).map(burying) },
  { weight: 1, arbitrary: fc.tuple(fc.array(which, { maxLength: 5 }), instant).map(reviving) },
  { weight: 1, arbitrary: fc.tuple(fc.array(webhook, { maxLength: 3 }), instant).map(adding) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 12 }).map(sweeping) },
)

function taking([now, leaseMs, limit]: readonly [number, number, number]): Step {
  return {
    does: 'take',
    with: { now, leaseMs, limit },
    run: async (store, model, numbers) => {
      const taken = await store.takeJobs({ now, leaseMs, limit })
      const expected = model.jobs.take({ now, leaseMs, limit })
      assertAlike(taken, expected)
      taken.forEach((job, at) => numbers.push({ store: job.sequence, model: expected[at]?.sequence ?? -1 }))
    },
  }
}

function finishing([n, next]: readonly [number, Lease | undefined]): Step {
  return {
    does: 'finish',
    with: { n, next },
    run: async (store, model, numbers) => {
      const named = numbers[n]
      if (named === undefined) return
      const [taken, expected] = [
        await store.finishJob(named.store, next),
        model.jobs.finish(named.model, next),
      ]
      assertAlike(taken === undefined ? [] : [taken], expected === undefined ? [] : [expected])
      if (taken !== undefined) numbers.push({ store: taken.sequence, model: expected?.sequence ?? -1 })
    },
  }
}

function postponing([n, attempts, dueAt, failure]: readonly [number, number, number, string]): Step {
  return {
    does: 'postpone',
    with: { n, attempts, dueAt, failure },
    run: async (store, model, numbers) => {
      const named = numbers[n]
      if (named === undefined) return
      await store.postponeJob({ sequence: named.store, attempts }, { dueAt, failure })
      model.jobs.postpone({ sequence: named.model, attempts }, { dueAt, failure })
    },
  }
}

function puttingBack([n, attempts, dueAt]: readonly [number, number, number]): Step {
  return {
    does: 'put back',
    with: { n, attempts, dueAt },
    run: async (store, model, numbers) => {
      const named = numbers[n]
      if (named === undefined) return
      await store.putBackJob({ sequence: named.store, attempts }, dueAt)
      model.jobs.putBack({ sequence: named.model, attempts }, dueAt)
    },
  }
}

function burying([n, failure]: readonly [number, string]): Step {
  return {
    does: 'bury',
    with: { n, failure },
    run: async (store, model, numbers) => {
      const named = numbers[n]
      if (named === undefined) return
      await store.deadLetterJob(named.store, { failure })
      model.jobs.deadLetter(named.model, failure)
    },
  }
}

function reviving([which, now]: readonly [readonly number[], number]): Step {
  return {
    does: 'revive',
    with: { which, now },
    run: async (store, model, numbers) => {
      const named = which.map((n) => numbers[n]).filter((pair) => pair !== undefined)
      const revived = await store.reviveJobs(
        named.map((pair) => pair.store),
        now,
      )
      const expected = model.jobs.revive(
        named.map((pair) => pair.model),
        now,
      )
      assert.equal(revived, expected)
    },
  }
}

function adding([webhooks, now]: readonly [Parameters<Store['addWebhooks']>[0], number]): Step {
  return {
    does: 'add',
    with: { webhooks, now },
    run: async (store, model) => {
      await store.addWebhooks(webhooks, now)
      model.jobs.addWebhooks(webhooks, now)
    },
  }
}

function sweeping(now: number): Step {
  return {
    does: 'sweep',
    with: now,
    run: async (store, model) => {
      assert.equal(await store.sweep({ now, limit: 100 }), model.sweep(now))
    },
  }
}

/** Counts, the dead, and then all that waits, ordering key by ordering key, until nothing does. */
export async function assertSameJobs(store: Store, model: MemoryModel): Promise<void> {
  assert.deepEqual(await store.jobCounts(), model.jobs.counts())
  assertAlike(await store.deadLetters({ limit: 100 }), model.jobs.dead())
  for (let now = 1_000; ; now += 1_000) {
    const request = { now, leaseMs: 1, limit: 100 }
    const taken = await store.takeJobs(request)
    const expected = model.jobs.take(request)
    assertAlike(taken, expected)
    if (taken.length === 0) return
    for (const job of taken) await store.finishJob(job.sequence)
    for (const job of expected) model.jobs.finish(job.sequence)
  }
}

function assertAlike(jobs: readonly (Job | MalformedJob)[], expected: readonly Job[]): void {
  const unnumbered = (list: readonly (Job | MalformedJob)[]) => list.map((job) => ({ ...job, sequence: 0 }))
  assert.deepEqual(unnumbered(jobs), unnumbered(expected))
}
