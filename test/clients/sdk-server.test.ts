import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sha256 } from '@noble/hashes/sha2.js'
import { decryptExportBundle, encryptPrivateKeyToBundle, generateP256KeyPair } from '@turnkey/crypto'
import type { TurnkeyApiClient } from '@turnkey/sdk-server'
import { present } from '../../src/trusted/base/assert.ts'
import { sdkServer } from './sdk-server.ts'
import { aSetting, type Stranger, withKey } from './setting.ts'
import { isGoodSignature } from './verify-signature.ts'

// The published @turnkey/sdk-server: it unwraps results, polls by itself, and brings an older @turnkey/http with it.
const { Turnkey } = await sdkServer()
const setting = await aSetting()
after(() => setting.service.kill())
const { env, root } = setting
const client = apiClient(root)

test('the client asks for its own organization when none is named, and gets users and organizations unwrapped', async () => {
  const whoami = await client.getWhoami()
  assert.deepEqual([whoami.organizationId, whoami.userId], [env.ORGANIZATION_ID, env.ROOT_USER_ID])
  const ada = setting.someone(env.ORGANIZATION_ID)
  const { userIds, activity } = await client.createUsers({
    users: [{ ...withKey(ada, 'Ada'), userTags: [] }],
  })
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal((await apiClient(ada).getWhoami()).userId, userIds[0])
  const { user } = await client.getUser({ userId: present(userIds[0], 'the new user') })
  assert.equal(user.userName, 'Ada')

  const { subOrganizationId, rootUserIds } = await client.createSubOrganization({
    subOrganizationName: 'Bob',
    rootUsers: [withKey(setting.someone(''), 'Bob')],
    rootQuorumThreshold: 1,
  })
  assert.equal(rootUserIds?.length, 1)
  const found = await client.getSubOrgIds({ filterType: 'NAME', filterValue: 'Bob' })
  assert.deepEqual(found.organizationIds, [subOrganizationId])
})

test('a key is made, signs, goes out and comes in elsewhere as the same key', async () => {
  const { privateKeys } = await client.createPrivateKeys({
    privateKeys: [
      {
        privateKeyName: 'Travels',
        curve: 'CURVE_ED25519',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_SOLANA'],
      },
    ],
  })
  const privateKeyId = present(privateKeys[0]?.privateKeyId, 'the new key')
  const signWith = present(privateKeys[0]?.addresses?.[0]?.address, 'its address')
  const { privateKey } = await client.getPrivateKey({ privateKeyId })
  const payload = {
    payload: 'to be signed',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  } as const
  const { r, s, v } = await client.signRawPayload({ signWith, ...payload })
  const signed = new TextEncoder().encode(payload.payload)
  const { publicKey } = privateKey
  assert.ok(isGoodSignature('CURVE_ED25519', { publicKey, signed, signature: { r, s, v } }))

  const target = generateP256KeyPair()
  const { exportBundle } = await client.exportPrivateKey({
    privateKeyId,
    targetPublicKey: target.publicKeyUncompressed,
  })
  const override = { dangerouslyOverrideSignerPublicKey: env.SIGNER_PUBLIC_KEY }
  const secret = await decryptExportBundle({
    ...override,
    exportBundle,
    organizationId: env.ORGANIZATION_ID,
    embeddedKey: target.privateKey,
    returnMnemonic: false,
  })

  const [owner] = await setting.subOrganization('Elsewhere', ['Owner'])
  const { organizationId, userId, ...keys } = present(owner, 'the root user')
  const elsewhere = apiClient({ organizationId, ...keys })
  const { importBundle } = await elsewhere.initImportPrivateKey({ userId })
  const encryptedBundle = await encryptPrivateKeyToBundle({
    ...override,
    privateKey: secret,
    keyFormat: 'HEXADECIMAL',
    importBundle,
    userId,
    organizationId,
  })
  const imported = await elsewhere.importPrivateKey({
    userId,
    privateKeyName: 'Arrived',
    encryptedBundle,
    curve: 'CURVE_ED25519',
    addressFormats: ['ADDRESS_FORMAT_SOLANA'],
  })
  assert.equal(imported.addresses[0]?.address, signWith)
  const again = await elsewhere.signRawPayload({ signWith, ...payload })
  assert.deepEqual([again.r, again.s], [r, s])
})

test('what waits for others is polled for, then returned as it stands, and is settled by the decision of another', async () => {
  const [first, second] = await setting.subOrganization('Two', ['First', 'Second'], 2)
  const [ada, bob] = [apiClient(present(first, 'the first')), apiClient(present(second, 'the second'))]
  const asked = await ada.createPrivateKeys({
    privateKeys: [{ privateKeyName: 'Joint', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }],
  })
  assert.equal(asked.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.equal(asked.privateKeys, undefined)
  const approved = await bob.approveActivity({ fingerprint: asked.activity.fingerprint })
  assert.deepEqual(
    [approved.activity.id, approved.activity.status],
    [asked.activity.id, 'ACTIVITY_STATUS_COMPLETED'],
  )
  const { activity } = await ada.getActivity({ activityId: asked.activity.id })
  const { privateKeyId } = present(activity.result.createPrivateKeysResultV2?.privateKeys[0], 'the key')
  const { privateKeys } = await bob.getPrivateKeys()
  assert.deepEqual(
    privateKeys.map((key) => key.privateKeyId),
    [privateKeyId],
  )

  const unwanted = await ada.updateRootQuorum({ threshold: 1, userIds: [present(first, 'the first').userId] })
  const rejected = await bob.rejectActivity({ fingerprint: unwanted.activity.fingerprint })
  assert.equal(rejected.activity.status, 'ACTIVITY_STATUS_REJECTED')
  const { activities } = await bob.getActivities({ filterByStatus: ['ACTIVITY_STATUS_REJECTED'] })
  assert.deepEqual(
    activities.map(({ id }) => id),
    [unwanted.activity.id],
  )
})

test('policies and tags are written and read, and a refusal is an error with its text', async () => {
  const eve = await setting.user(root, 'Eve')
  const { userTagId } = await client.createUserTag({ userTagName: 'Signers', userIds: [eve.userId] })
  const { privateKeys } = await client.createPrivateKeys({
    privateKeys: [{ privateKeyName: 'Guarded', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }],
  })
  const signWith = present(privateKeys[0]?.privateKeyId, 'the key')
  const { privateKey } = await client.getPrivateKey({ privateKeyId: signWith })
  const sign = () =>
    apiClient(eve).signRawPayloads({
      signWith,
      payloads: ['one', 'two'],
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    })
  await assert.rejects(sign(), {
    name: 'TurnkeyRequestError',
    message: /^Turnkey error 7: You don't have sufficient permissions.* \(Details: \[.*\]\)$/,
  })
  const { policyId } = await client.createPolicy({
    policyName: 'Signers sign with this one',
    effect: 'EFFECT_ALLOW',
    condition: `activity.action == 'SIGN' && private_key.id == '${signWith}'`,
    consensus: `approvers.any(user, user.tags.contains('${userTagId}'))`,
    notes: '',
  })
  const { signatures } = await sign()
  const { publicKey } = privateKey
  for (const [index, text] of ['one', 'two'].entries()) {
    const signature = present(signatures?.[index], 'one for each')
    const signed = sha256(new TextEncoder().encode(text))
    assert.ok(isGoodSignature('CURVE_P256', { publicKey, signed, signature }))
  }
  const { policies } = await client.getPolicies()
  assert.deepEqual(
    policies.map((policy) => policy.policyId),
    [policyId],
  )
  await client.deletePolicy({ policyId })
  await assert.rejects(sign(), /Turnkey error 7: /)
})

test('every submission of the client is read in the version it sends', async () => {
  const activity = setting.someone(env.ORGANIZATION_ID)
  const { apiKeyIds } = await client.createApiKeys({
    userId: env.ROOT_USER_ID,
    apiKeys: [{ apiKeyName: 'Spare', publicKey: activity.publicKey, curveType: 'API_KEY_CURVE_P256' }],
  })
  assert.equal((await apiClient(activity).getWhoami()).userId, env.ROOT_USER_ID)
  await client.deleteApiKeys({ userId: env.ROOT_USER_ID, apiKeyIds })
  await client.updateUser({ userId: env.ROOT_USER_ID, userName: 'Chief' })
  await client.updateOrganizationName({ organizationName: 'Renamed' })
  const whoami = await client.getWhoami()
  assert.deepEqual([whoami.username, whoami.organizationName], ['Chief', 'Renamed'])
  const { apiKeys } = await client.getApiKeys({ userId: env.ROOT_USER_ID })
  assert.equal(apiKeys.length, 1)
})

function apiClient({
  organizationId,
  publicKey,
  privateKey,
}: Pick<Stranger, 'organizationId' | 'publicKey' | 'privateKey'>): TurnkeyApiClient {
  return new Turnkey({
    apiBaseUrl: setting.service.url,
    apiPublicKey: publicKey,
    apiPrivateKey: privateKey,
    defaultOrganizationId: organizationId,
    activityPoller: { intervalMs: 10, numRetries: 2 },
  }).apiClient()
}
