import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../test/support/service.ts'
import { listPrivateKeys } from '../queries/private-keys/list-private-keys.ts'
import { queries } from '../queries/list.ts'
import { LongQueries } from './long-queries.ts'

async function settledTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('two long queries of an organization are under way at once, and eight of all', async () => {
  const long = new LongQueries({ ofEach: 2, all: 8 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const ask = (organizationId: string): Promise<void> =>
    long.run(organizationId, async () => {
      started.push(organizationId)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const asked = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'd', 'e', 'f'].map(ask)
  await settledTurns()
  assert.deepEqual(started, ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'])
  // The first of all, which is one of `a`. The next one is of an organization that has had none yet.
  ends.shift()?.()
  await settledTurns()
  assert.deepEqual(started.slice(8), ['e'])
  while (ends.length > 0) {
    ends.shift()?.()
    await settledTurns()
  }
  await Promise.all(asked)
  assert.deepEqual(started.toSorted(), ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'd', 'e', 'f'])
})

test('a long query waits for those of its organization, and others do not', async (t) => {
  let underWay = 0
  const end = Promise.withResolvers<void>()
  const planted = {
    ...listPrivateKeys,
    answer: async () => {
      underWay++
      await end.promise
      return { privateKeys: [] }
    },
  }
  const service = await aService({
    queries: queries.map((query) => (query === listPrivateKeys ? planted : query)),
  })
  t.after(service.close)
  const other = await service.newOrganization()
  const asked = Array.from({ length: 4 }, () => service.query(service.root, 'list_private_keys'))
  while (underWay < 2) await settledTurns()
  const ofOther = service.query(other, 'list_private_keys')
  while (underWay < 3) await settledTurns()
  assert.equal((await service.query(service.root, 'whoami')).status, 200)
  assert.equal(underWay, 3)
  end.resolve()
  for (const { status } of await Promise.all([...asked, ofOther])) assert.equal(status, 200)
  assert.equal(underWay, 5)
})
