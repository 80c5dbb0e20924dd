import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorld } from '../../../../test/support/service.ts'
import type { VerifyRequest } from '../../../protocol/vault.ts'
import { Secret } from '../../base/secret.ts'
import { workAlone } from '../../base/testing/work-alone.ts'
import type { ObjectRow } from '../../catalogue/unit.ts'
import { USAGE_METER } from '../../objects/usage-meter.ts'
import { openKeyring } from '../keys/keyring.ts'
import { sealObject } from './seals.ts'
import { verifyRows } from './verify-rows.ts'

const world = testWorld()
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])

function object(kind: string, more: Partial<ObjectRow> = {}): ObjectRow {
  const row = { organizationId: 'org', kind, objectId: 'o', body: '{}', expiresAt: null, ...more }
  return sealObject(keyring, row, new Secret(Buffer.from('secret')), world.randomBytes)
}

async function verified(rows: Partial<VerifyRequest>) {
  const work = workAlone()
  const found = await verifyRows(
    keyring,
    { charters: [], activities: [], objects: [], jobs: [], ...rows },
    work,
  )
  return { ...found, cost: work.spent }
}

test('each secret that is opened to be verified is wiped, also where its row cannot be read', async (t) => {
  const wiped = t.mock.method(Secret.prototype, 'wipe')
  const { problems } = await verified({ objects: [object('private_key'), object('of the future')] })
  assert.equal(problems.length, 2)
  assert.equal(problems[1]?.problem, 'no kind of object has this name')
  assert.equal(wiped.mock.callCount(), 2)
})

test('a row may be swept away from the time on from which nobody needs it, and not before', async () => {
  const body = JSON.stringify({ key: 'k', windowMs: 1, slots: [], revision: 1, keptUntil: 1_000 })
  const problemsOf = async (expiresAt: number) => {
    const { problems } = await verified({ objects: [object(USAGE_METER, { body, expiresAt })] })
    return problems.map(({ problem }) => problem)
  }
  assert.deepEqual(await problemsOf(1_000), [])
  assert.deepEqual(await problemsOf(999), ['it may be swept away before the time that its body says'])
})

/** Whatever else is in a row, its seal does not hold. */
async function forged(table: keyof VerifyRequest, more: object = {}) {
  const row = { organizationId: 'org', seal: '', body: '', intent: '', votes: '', kind: 'email', ...more }
  return await verified({ [table]: [row] })
}

test('a row of any table whose seal does not hold is a problem', async () => {
  for (const table of ['charters', 'activities', 'objects', 'jobs'] as const)
    assert.deepEqual(
      (await forged(table)).problems.map(({ problem }) => problem),
      ['its seal does not hold'],
      table,
    )
})

test('other work waits for each row that is verified, and longer for a long row and for a wallet', async () => {
  const costOf = async (...row: Parameters<typeof forged>): Promise<number> => (await forged(...row)).cost
  const long = 'x'.repeat(100_000)
  for (const table of ['charters', 'activities', 'objects', 'jobs'] as const)
    assert.ok((await costOf(table)) > 0, table)
  assert.ok((await costOf('charters', { body: long })) > (await costOf('charters')))
  for (const change of [{ intent: long }, { votes: long }])
    assert.ok((await costOf('activities', change)) > (await costOf('activities')))
  assert.ok((await costOf('objects', { kind: 'wallet' })) > (await costOf('objects')))
})
