import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietHost } from '../../../test/support/quiet.ts'
import { aService } from '../../../test/support/service.ts'
import type { CheckRequest, Vault } from '../../protocol/vault.ts'
import { openHost } from '../pipeline/open-host.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the host asks the vault for no more of one organization than is under way at once, and another does not wait', async (t) => {
  const service = await aService()
  t.after(service.close)
  const asked: string[] = []
  const ends: (() => void)[] = []
  const vault: Vault = {
    ...service.vault,
    check: ({ charters: [row] }) => {
      asked.push(row?.organizationId ?? '')
      return new Promise((resolve) => ends.push(() => resolve({ kind: 'checked', cost: 0 })))
    },
  }
  const host = openHost({ ...quietHost, ...service, vault, activities: [] })
  const charterOf = (organizationId: string, length: number): CheckRequest => ({
    charters: [{ organizationId, version: 1, body: 'x'.repeat(length), seal: '' }],
    activities: [],
    objects: [],
  })
  const all = [
    host.vault.check(charterOf('loud', 1_000_000)),
    host.vault.check(charterOf('loud', 1_000_000)),
    host.vault.check(charterOf('quiet', 1_000)),
  ]
  await settled()
  assert.deepEqual(asked, ['loud', 'quiet'])

  ends.shift()?.()
  await settled()

  assert.deepEqual(asked, ['loud', 'quiet', 'loud'])
  for (const end of ends) end()
  await Promise.all(all)
})
