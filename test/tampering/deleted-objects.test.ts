import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { encryptSecretToBundle } from '@turnkey/crypto'
import { present } from '../../src/trusted/base/assert.ts'
import type { JsonAnswer } from '../support/service.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { type Database, engines } from './database.ts'
import { done, type Person, populate, type Populated, signing, submission } from './populated.ts'
import { rowsOf } from './put-back.ts'

// What was deleted or used up, and is put back by somebody who writes to the database while the service runs. Known,
// and written down in SECURITY.md: the vault keeps no list of the objects that it has sealed and then removed.

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

async function setting(t: TestContext): Promise<{ database: Database; people: Populated }> {
  const database = await engines.sqlite()
  t.after(database.close)
  return { database, people: await populate(database.service, database.store()) }
}

test('a deleted wallet that is put back signs again, for nobody but who may', async (t) => {
  const { database, people } = await setting(t)
  const { service, rows } = database
  const { root, stranger, other, wallets } = people
  const { walletId, accountAddress } = wallets
  const sign = async (by: Person, payload: string) =>
    (await service.send(signing(service.world, by, accountAddress, payload))).status
  const before = [...(await rowsOf(database, 'wallet')), ...(await rowsOf(database, 'wallet_account'))]
  const account = present(before.at(-1)?.['object_id'], 'the account')
  await done(service, root, 'DELETE_WALLETS', { walletIds: [walletId], deleteWithoutExport: true })
  assert.equal(await sign(root, '70'), 404)

  await database.putBack('objects', before)
  const add = 'INSERT INTO directory (scope, kind, value, target) VALUES ($1, $2, $3, $4)'
  await rows(add, root.organizationId, 'ADDRESS', accountAddress, account)
  assert.equal(await sign(root, '71'), 200)
  assert.equal(await sign(stranger, '72'), 403)
  assert.equal(await sign(other, '73'), 404)
})

test('a deleted secret that is put back is exported again, to nobody but who may', async (t) => {
  const { database, people } = await setting(t)
  const { service } = database
  const { root, stranger, other } = people
  const before = await rowsOf(database, 'secret')
  const secretId = present(before[0]?.['object_id'], 'the secret')
  const { publicKey: targetPublicKey } = stampKeyFrom(
    'SIGNATURE_SCHEME_TK_API_P256',
    service.world.randomBytes,
  )
  const exported = async (by: Person) => {
    const secrets = [{ secretId, targetPublicKey, encryptionSuite }]
    return (await service.send(submission(service.world, by, 'EXPORT_SECRETS', { secrets }))).status
  }
  await done(service, root, 'DELETE_SECRETS', { secretIds: [secretId] })
  assert.equal(await exported(root), 404)

  await database.putBack('objects', before)
  assert.equal(await exported(root), 200)
  assert.equal(await exported(stranger), 403)
  assert.equal(await exported(other), 404)
})

test('a used key of an import that is put back takes the same secret once more, from its user alone', async (t) => {
  const { database, people } = await setting(t)
  const { service } = database
  const { root, ada } = people
  await done(service, root, 'CREATE_POLICY_V3', {
    policyName: 'All import secrets',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'SECRET' && activity.action == 'IMPORT'",
    consensus: 'approvers.count() >= 1',
    notes: '',
  })
  const begun = await done(service, root, 'INIT_IMPORT_SECRETS', { encryptionSuite, numSecrets: 1 })
  const ingressTargetBundle: string = begun.enclaveTargetMessages[0]
  const encrypted = await encryptSecretToBundle({
    plaintext: 'hunter2',
    ingressTargetBundle,
    organizationId: root.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(ingressTargetBundle).enclaveQuorumPublic,
  })
  const imported = async (by: Person, value: string) => {
    const staticProperties = [{ key: 'environment', value }]
    const secrets = [{ ...encrypted, encryptionSuite, staticProperties }]
    const { text } = await service.send(submission(service.world, by, 'IMPORT_SECRETS', { secrets }))
    // As the service answers it.
    const { activity, message } = JSON.parse(text) as JsonAnswer
    return activity?.status ?? message
  }
  const before = await rowsOf(database, 'secret_target')
  assert.equal(await imported(root, 'production'), 'ACTIVITY_STATUS_COMPLETED')
  assert.match(await imported(root, 'test'), /no import was begun/)

  await database.putBack('objects', before)
  assert.match(await imported(ada, 'test'), /no import was begun/)
  assert.equal(await imported(root, 'test'), 'ACTIVITY_STATUS_COMPLETED')
  assert.match(await imported(root, 'test'), /no import was begun/)
})
