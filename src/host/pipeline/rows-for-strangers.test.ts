import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countingStore } from '../../../test/behaviour/counting-store.ts'
import { aService, type Member } from '../../../test/support/service.ts'
import { aSubOrganization } from '../../trusted/activities/organizations/testing/sub-organization.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'

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
