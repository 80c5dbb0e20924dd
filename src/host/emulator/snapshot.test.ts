import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClaviger } from './start-claviger.ts'
import type { Snapshot } from './snapshot.ts'

/** What came from a file may be anything. */
function changed(snapshot: Snapshot, how: (json: Record<string, unknown>) => void): Snapshot {
  const json = JSON.parse(JSON.stringify(snapshot))
  how(json)
  return json
}

test('a snapshot of another version or seed, or a broken one, is refused by its reason and changes nothing', async () => {
  await using c = await startClaviger({ seed: 7 })
  const snapshot = c.snapshot()
  c.clock.advance('1h')
  await c.newUser('Eve')
  const standing = c.snapshot()
  const wrong: readonly [(json: Record<string, unknown>) => void, RegExp][] = [
    [
      (json) => Object.assign(json, { format: 'claviger-emulator-snapshot-0' }),
      /another version of claviger/,
    ],
    [(json) => Object.assign(json, { schema: 'other' }), /another version of claviger/],
    [(json) => Object.assign(json, { seed: '8' }), /made with the seed 8, and this emulator has 7/],
    [(json) => delete json['ordinals'], /a part of it is missing/],
    [(json) => Object.assign(json, { ordinals: [['x', -1, []]] }), /a part of it is missing/],
    [(json) => Object.assign(json, { ordinals: [['x', 0, 5]] }), /a part of it is missing/],
    [(json) => Object.assign(json, { messages: [null] }), /a part of it is missing/],
    [(json) => Object.assign(json, { users: [] }), /a part of it is missing/],
    [(json) => Object.assign(json, { now: 'noon' }), /a part of it is missing/],
    [(json) => Object.assign(json, { now: 2 ** 50 }), /a part of it is missing/],
    [(json) => Object.assign(json, { tables: [] }), /its rows do not fit/],
    [
      (json) =>
        Object.assign(json, { tables: [{ name: 'charters); DROP TABLE charters', columns: [], rows: [] }] }),
      /its rows do not fit/,
    ],
    [
      (json) => {
        for (const table of Object(json['tables'])) table.rows = [...table.rows, table.rows[0] ?? [{}]]
      },
      /its rows do not fit/,
    ],
  ]
  for (const [how, why] of wrong) {
    assert.throws(() => c.restore(changed(snapshot, how)), why)
    assert.deepEqual(c.snapshot(), standing)
  }
  for (const none of [null, 7, 'x', [], {}])
    assert.throws(() => c.restore(changed(Object({ none }), () => {})), /it is not a snapshot/)
  assert.equal((await c.root.query('whoami')).status, 200)
})

test('rows that were changed in a snapshot are believed by no vault', async () => {
  await using c = await startClaviger({ seed: 7 })
  const eve = await c.newUser('Eve')
  const forged = changed(c.snapshot(), (json) => {
    const text = JSON.stringify(json['tables'])
    // Eve makes herself the root quorum.
    json['tables'] = JSON.parse(
      text.replaceAll(`userIds\\":[\\"${c.root.userId}`, `userIds\\":[\\"${eve.userId}`),
    )
    assert.notEqual(JSON.stringify(json['tables']), text)
  })
  c.restore(forged)
  const { status } = await c.user('Eve').submit('create_wallet', { walletName: 'W', accounts: [] })
  assert.equal(status, 500)
})

test('requests under way when a snapshot is restored are answered by the life that they began in', async () => {
  await using c = await startClaviger({ seed: 7 })
  const before = c.snapshot()
  const underWay = Array.from({ length: 20 }, async (_, at) =>
    c.root.submit('create_wallet', { walletName: `W${at}`, accounts: [] }),
  )
  c.restore(before)
  for (const { status } of await Promise.all(underWay)) assert.equal(status, 200)
})
