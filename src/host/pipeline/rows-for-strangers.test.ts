import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countingStore } from '../../../test/behaviour/counting-store.ts'
import { aService, type Member } from '../../../test/support/service.ts'
import { aSubOrganization } from '../../trusted/activities/organizations/testing/sub-organization.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { LongQueries } from './long-queries.ts'

const DELETE = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION'

test('the many rows of a request are read for a proven sender, and for no stranger', async (t) => {
  const { store, counted } = countingStore(openSqlite({ path: ':memory:' }))
  const service = await aService({ store })
  t.after(async () => {
    await service.close()
    await store.close()
  })
  const { roots, organizationId } = await aSubOrganization(service)
  const [ada] = roots
  const privateKeys = Array.from({ length: 50 }, (_, at) => ({
    privateKeyName: `Key ${at}`,
    curve: 'CURVE_ED25519',
    privateKeyTags: [],
    addressFormats: [],
  }))
  await service.done(ada, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys })
  const rowsFor = async (by: Member, parameters: object, status: number): Promise<number> => {
    service.world.advance(1)
    counted.rows = 0
    const answer = await service.submit(by, DELETE, parameters, { organizationId })
    assert.equal(answer.status, status, answer.text)
    return counted.rows
  }
  const unknown = await rowsFor({ ...ada, key: service.newKey() }, { deleteWithoutExport: true }, 401)
  const forged = await rowsFor(
    { ...ada, key: { ...service.newKey(), publicKey: ada.key.publicKey } },
    { deleteWithoutExport: true },
    401,
  )
  assert.ok(unknown < 20 && forged < 20, `${unknown} and ${forged} rows`)
  const attested = JSON.stringify({
    publicKeyAttestation: 'a.b.c',
    scheme: 'STAMP_ATTESTED_SCHEME_P256_OIDC',
    publicKey: ada.key.publicKey,
    signature: '30',
  })
  for (const headers of [{ 'x-stamp-attested': attested }, { 'x-session': 'a.b' }]) {
    counted.rows = 0
    const timestampMs = String(service.world.now())
    const body = JSON.stringify({ type: DELETE, timestampMs, organizationId, parameters: {} })
    const answer = await service.post('/public/v1/submit/delete_sub_organization', body, headers)
    assert.equal(answer.status, 401)
    assert.match(answer.text, /not accepted|delete_sub_organization/)
    assert.ok(counted.rows < 20, `${counted.rows} rows`)
  }
  // Ada herself, whose keys were not exported.
  assert.ok((await rowsFor(ada, {}, 400)) > 50)
})

const PAID = '0000000000000000000000000000000000001001'

/** Signs a payment to a contract; the amount tells one payment from the other. */
function payment(amount: number) {
  const value = (0x10000000 + amount).toString(16)
  return {
    signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    unsignedTransaction: `02e30180010282520894${PAID}84${value}80c0`,
    type: 'TRANSACTION_TYPE_ETHEREUM',
  }
}

test('interfaces of contracts are read for a proven sender, and few requests have them at once', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  const { objects } = store
  let [reads, underWay, most] = [0, 0, 0]
  t.mock.method(store, 'objects', async (...of: Parameters<typeof objects>) => {
    const [, kind] = of
    if (kind !== 'smart_contract_interface') return await objects(...of)
    reads += 1
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay -= 1
    return await objects(...of)
  })
  const service = await aService({ store })
  t.after(async () => {
    await service.close()
    await store.close()
  })
  const { root } = service
  await service.done(root, 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
    smartContractAddress: `0x${PAID}`,
    smartContractInterface: `[${' '.repeat(380_000)}]`,
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
    label: 'Long',
  })
  const stranger = { ...root, key: service.newKey() }
  assert.equal((await service.submit(stranger, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', payment(1))).status, 401)
  assert.equal(reads, 0)
  const asked = Array.from({ length: 8 }, (_, at) =>
    service.submit(root, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', payment(2 + at)),
  )
  // Of an address that is nobody's.
  for (const { status } of await Promise.all(asked)) assert.equal(status, 404)
  assert.ok(reads >= 8, `${reads} reads`)
  assert.equal(most, 2)

  // A token that such a request does not take: a stranger with it keeps nobody waiting for a turn.
  const turns = t.mock.method(LongQueries.prototype, 'run')
  const { organizationId } = root
  const parameters = payment(20)
  const timestampMs = String(service.world.now())
  const body = { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', timestampMs, organizationId, parameters }
  const token = { 'x-session': 'a.b' }
  const answer = await service.post('/public/v1/submit/sign_transaction', JSON.stringify(body), token)
  assert.deepEqual([answer.status, turns.mock.callCount()], [401, 0])
})
