import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type RecoveryEvent, recoveryText } from '../../trusted/vault/recovery/recovery-events.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { noteRecovery, recoveryEvents, recoveryNoted, renewRecoveries } from './recovery-notes.ts'

const [ONE, OTHER] = [`02${'ab'.repeat(32)}`, `03${'cd'.repeat(32)}`]

/** A vault whose proofs say under which version they are. */
function aVault(version: number) {
  return {
    proveRoot: async (challenge: string) => `${version} ${challenge}`,
    checkRootProof: async ({ challenge, proof }: { readonly challenge: string; readonly proof: string }) =>
      /^\d+ /.test(proof) && proof.endsWith(` ${challenge}`) ? ('own' as const) : ('foreign' as const),
  }
}

function aStore(t: TestContext) {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const noted = async (
    { set, what, at }: Pick<RecoveryEvent, 'set' | 'what' | 'at'>,
    to: Parameters<typeof noteRecovery>[0] = store,
  ) => {
    const challenge = recoveryText(what === 'used' ? { set, what, at } : { set, what, at, shares: [1, 2] })
    await noteRecovery(to, { challenge, proof: await aVault(1).proveRoot(challenge) })
  }
  return { store, noted }
}

test('of each set the last rehearsal and the last use are told, and not those of another set', async (t) => {
  const { store, noted } = aStore(t)
  for (const [set, what, at] of [
    [ONE, 'rehearsed', 1],
    [OTHER, 'rehearsed', 2],
    [ONE, 'used', 3],
    [ONE, 'rehearsed', 5],
  ] as const)
    await noted({ set, what, at })
  assert.deepEqual(await recoveryNoted(store, aVault(1)), {
    sets: [
      { set: ONE, rehearsedAt: 5, usedAt: 3 },
      { set: OTHER, rehearsedAt: 2, usedAt: null },
    ],
    foreign: 0,
  })
})

test('a recovery that another host notes at the same time is lost by neither', async (t) => {
  const { store, noted } = aStore(t)
  let isFirst = true
  const replaceNote: typeof store.replaceNote = async (name, standing, value) => {
    if (isFirst) {
      isFirst = false
      await noted({ set: OTHER, what: 'used', at: 1 })
    }
    return await store.replaceNote(name, standing, value)
  }
  await noted({ set: ONE, what: 'used', at: 2 }, { ...store, replaceNote })
  const { events } = await recoveryEvents(store, aVault(1))
  assert.deepEqual(
    events.map(({ set, at }) => [set, at]),
    [
      [OTHER, 1],
      [ONE, 2],
    ],
  )

  assert.equal(await renewRecoveries({ ...store, replaceNote: async () => false }, aVault(2)), false)
  assert.equal(await renewRecoveries(store, aVault(2)), true)
  assert.match((await store.note('recovery')) ?? '', /^[^\t]+\t2 [^\n]+\n[^\t]+\t2 [^\n]+\n$/)
})

test('of many recoveries the newest are kept', async (t) => {
  const { store, noted } = aStore(t)
  for (let at = 1; at <= 103; at++) await noted({ set: ONE, what: 'rehearsed', at })
  const { events } = await recoveryEvents(store, aVault(1))
  assert.deepEqual([events.length, events[0]?.at, events.at(-1)?.at], [100, 4, 103])
})
