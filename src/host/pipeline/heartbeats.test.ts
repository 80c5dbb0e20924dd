import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../test/support/service.ts'
import { HOUR, underWay } from '../../trusted/activities/organizations/testing/recovery.ts'
import { present } from '../../trusted/base/assert.ts'
import { Commits } from './commits.ts'
import { Heartbeats } from './heartbeats.ts'

test('a charter of before is told to the operator where no hour is counted for it, and read again before', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { world, store, vault, root } = service
  await underWay(service)
  const troubles: unknown[] = []
  let shown: (typeof store)['charter'] = store.charter
  const heartbeats = new Heartbeats({
    store: { ...store, charter: async (organizationId) => await shown(organizationId) },
    vault,
    commits: new Commits({ store, vault }),
    elapsed: world.elapsed,
    onTrouble: (error) => troubles.push(error),
  })
  const before = present(await store.charter(root.organizationId), 'the charter')
  const hour = async (): Promise<readonly string[]> => {
    await heartbeats.look()
    world.advance(HOUR)
    return await heartbeats.look()
  }
  assert.deepEqual(await hour(), [root.organizationId])

  shown = async () => before
  assert.deepEqual(await hour(), [])
  assert.ok(troubles.length > 0)
  for (const trouble of troubles) assert.match(String(trouble), /older than the vault has seen it: charter/)

  // A commit may have ended between the read and the answer of the vault.
  troubles.length = 0
  let reads = 0
  shown = async (organizationId) => (reads++ === 0 ? before : await store.charter(organizationId))
  assert.deepEqual(await hour(), [root.organizationId])
  assert.deepEqual(troubles, [])
})
