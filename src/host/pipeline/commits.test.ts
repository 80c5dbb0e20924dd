import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SettledUnits } from '../../protocol/vault.ts'
import { defineFailure } from '../../trusted/base/failure.ts'
import { emptyUnit } from '../../trusted/catalogue/unit.ts'
import type { CommitResult } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { type Admit, Commits } from './commits.ts'

/** Units that the test ends itself, and what has happened since the last look. */
function aHost() {
  const events: string[] = []
  const writes: PromiseWithResolvers<CommitResult>[] = []
  const turns: { readonly ms: number; readonly run: () => void }[] = []
  const commits = new Commits({
    timers: {
      after: (ms, run) => {
        turns.push({ ms, run })
        return () => {}
      },
    },
    store: {
      commit: async () => {
        events.push('written')
        const write = Promise.withResolvers<CommitResult>()
        writes.push(write)
        return await write.promise
      },
    },
    vault: {
      settled: (units: SettledUnits) => {
        for (const how of ['committed', 'dropped', 'unknown'] as const)
          for (const ticket of units[how]) events.push(`the vault hears: ${ticket} ${how}`)
      },
    },
  })
  const commit = (ticket: number, admit?: Admit): void => {
    const by = (what: string) => () => void events.push(`${ticket} answers ${what}`)
    commits.commit({ unit: emptyUnit, ticket, admit }).then(({ kind }) => by(kind)(), by('an error'))
  }
  const told = async (): Promise<readonly string[]> => {
    await new Promise((resolve) => setImmediate(resolve))
    return events.splice(0)
  }
  const wait = (unit: Parameters<typeof commits.ended>[0]): void => {
    const what = typeof unit === 'number' ? unit : 'another host'
    void commits.ended(unit).then(() => events.push(`who waited for ${what} goes on`))
  }
  return { commit, told, wait, turns, writes }
}

const noRoom = defineFailure({ kind: 'noRoom', code: 8, say: () => 'no room' })

for (const [ending, outcome, heard] of [
  ['is durable', { kind: 'committed' }, 'committed'],
  ['found another row', { kind: 'conflict', conflict: 'guard' }, 'dropped'],
  [
    'would exceed a quota',
    { kind: 'exhausted', exhausted: { organizationId: 'o', quota: 'objects', most: 1 } },
    'dropped',
  ],
  ['was refused with a failure', noRoom(), 'dropped'],
  ['came after the end of the store', new StoreError('closed', 'closed'), 'dropped'],
  ['may have been lost or not', new StoreError('unavailable', 'gone'), 'unknown'],
  ['met a bug', new TypeError('a bug'), 'unknown'],
] as const)
  test(`of a commit that ${ending} the vault hears ${heard}, before the request is answered`, async () => {
    const { commit, told, writes } = aHost()
    commit(7)
    assert.deepEqual(await told(), ['written'])
    if (outcome instanceof Error) writes[0]?.reject(outcome)
    else writes[0]?.resolve(outcome)
    const answer = outcome instanceof Error ? 'an error' : outcome.kind
    assert.deepEqual(await told(), [`the vault hears: 7 ${heard}`, `7 answers ${answer}`])
  })

test('who waits for a commit goes on after the vault has heard of its end, whatever that is', async () => {
  const { commit, told, wait, writes } = aHost()
  commit(1)
  commit(2)
  wait(1)
  wait(2)
  wait(3)
  assert.deepEqual(await told(), ['written', 'written', 'who waited for 3 goes on'])
  writes[1]?.reject(new StoreError('unavailable', 'gone'))
  const second = await told()
  assert.equal(second[0], 'the vault hears: 2 unknown')
  assert.deepEqual(second.slice(1).toSorted(), ['2 answers an error', 'who waited for 2 goes on'])
  writes[0]?.resolve({ kind: 'committed' })
  assert.deepEqual((await told()).toSorted(), [
    '1 answers committed',
    'the vault hears: 1 committed',
    'who waited for 1 goes on',
  ])
  wait(1)
  assert.deepEqual(await told(), ['who waited for 1 goes on'])
})

test('a unit that is not admitted is not written, and the vault hears that it was dropped', async () => {
  const { commit, told, writes } = aHost()
  commit(1, async () => {
    throw noRoom()
  })
  assert.deepEqual(await told(), ['the vault hears: 1 dropped', '1 answers an error'])
  commit(2, async () => ({ kind: 'conflict', conflict: 'guard' }))
  assert.deepEqual(await told(), ['the vault hears: 2 dropped', '2 answers conflict'])
  commit(3, async () => undefined)
  assert.deepEqual(await told(), ['written'])
  writes[0]?.resolve({ kind: 'committed' })
  assert.deepEqual(await told(), ['the vault hears: 3 committed', '3 answers committed'])
})

test('a unit is waited for from before it is admitted', async () => {
  const { commit, told, wait } = aHost()
  const admitted = Promise.withResolvers<undefined>()
  commit(1, () => admitted.promise)
  wait(1)
  assert.deepEqual(await told(), [])
  admitted.resolve(undefined)
  assert.deepEqual(await told(), ['written'])
})

test('who waits for a commit of another host asks again after a while, and less and less often', async () => {
  const { told, wait, turns } = aHost()
  for (const waited of [0, 1, 40, 90, 1_000]) wait({ waited })
  assert.deepEqual(await told(), [])
  assert.deepEqual(
    turns.map(({ ms }) => ms),
    [10, 11, 50, 100, 100],
  )
  turns[0]?.run()
  assert.deepEqual(await told(), ['who waited for another host goes on'])
})
