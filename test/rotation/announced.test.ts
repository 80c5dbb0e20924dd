import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANNOUNCE_MS, LOOK_MS, startRotation } from '../../src/host/rotation/rotation.ts'
import type { RootKeysShown } from '../../src/protocol/vault.ts'
import { eventually } from '../support/eventually.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { engines } from '../tampering/database.ts'

const FIRST: RootKeysShown = { seals: 1, versions: [{ version: 1, id: 'one' }], service: [] }
const SECOND: RootKeysShown = { ...FIRST, seals: 2, versions: [...FIRST.versions, { version: 2, id: 'two' }] }

test('a host looks every two seconds, announces a new key at once, and repeats itself every ten', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (t) => {
  const database = await engines.postgres()
  const store = database.store()
  const { vault } = database.service
  let time = database.service.world.now()
  let shown = FIRST
  let next: (() => void) | undefined
  const rotation = startRotation({
    store,
    vault: { ...vault, rereadRootKey: async () => shown },
    now: () => time,
    timers: {
      after: (ms, run) => {
        next = () => {
          time += ms
          run()
        }
        return () => {}
      },
    },
    host: { id: 'a', name: 'a' },
    onEvent: () => {},
    onTrouble: (error) => assert.ifError(error),
  })
  t.after(async () => {
    await rotation.stop()
    await database.close()
  })
  const looked = async (): Promise<{ readonly at: number; readonly seals: number }> => {
    const run = next
    next = undefined
    run?.()
    await eventually(async () => next !== undefined)
    return JSON.parse((await store.note('host a')) ?? '{}')
  }

  const first = await looked()
  assert.deepEqual([first.at, first.seals], [time, 1])
  while (time + LOOK_MS < first.at + ANNOUNCE_MS) assert.equal((await looked()).at, first.at)
  assert.equal((await looked()).at, first.at + ANNOUNCE_MS)
  shown = SECOND
  const changed = await looked()
  assert.deepEqual([changed.at, changed.seals], [first.at + ANNOUNCE_MS + LOOK_MS, 2])
})
