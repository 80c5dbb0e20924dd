import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../../../test/support/service.ts'
import { Secret } from '../../base/secret.ts'
import { workAlone } from '../../base/testing/work-alone.ts'
import type { CharterRow } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { openKeyring } from '../keys/keyring.ts'
import { openJob, sealCharter } from '../seals/seals.ts'
import { mailsToRoots } from './mails-to-roots.ts'

const world = testWorld()
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])

function charter(organizationName: string, more: object = {}): CharterRow {
  const [root, member] = ['root', 'member'].map((userId) => ({
    userId,
    userEmail: `${userId}-${organizationName}@example.com`,
  }))
  const users = [root, member]
  const rootQuorum = { threshold: 1, userIds: ['root'] }
  const said = { organizationId: organizationName, organizationName, version: 1, users, rootQuorum, ...more }
  // All that is looked at.
  return sealCharter(keyring, said as unknown as Charter)
}

async function mailed(...charters: readonly CharterRow[]) {
  const work = workAlone()
  const about = { about: 'recovered', recoveredAt: world.now() } as const
  const jobs = await mailsToRoots({ keyring, world }, charters, about, work)
  const mails = jobs.map((job) => openJob(keyring, job))
  return { to: mails.map((mail) => (mail.channel === 'email' ? mail.to : '')), cost: work.spent }
}

test('root users are told, and nobody in an organization that was deleted', async () => {
  const { to } = await mailed(charter('one'), charter('gone', { deleted: true }), charter('other'))
  assert.deepEqual(to, ['root-one@example.com', 'root-other@example.com'])
})

test('other work waits for each charter that is read, and longer for a long one', async () => {
  const { cost } = await mailed(charter('one'))
  const { cost: longer } = await mailed(charter('one', { notes: 'x'.repeat(100_000) }))
  assert.ok(0 < cost && cost < longer)
})
