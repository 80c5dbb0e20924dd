import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { kindOf } from '../../src/trusted/catalogue/form.ts'
import { aTarget, keyInBundle } from '../../src/trusted/activities/sessions/testing/logins.ts'
import { aPrivateKey, aTag, aWallet } from '../behaviour/things.ts'
import { sentMessages } from '../support/messages.ts'
import { projectFolder } from '../support/running-service.ts'
import { aService, type Member, type TestService } from '../support/service.ts'
import { createAuthenticator } from '../support/software-authenticator.ts'

const page = readFileSync(`${projectFolder}/docs/how-to/policies.md`, 'utf8')
const [, section = ''] = /\n## Rights that reach further\n(.*?)\n## /s.exec(page) ?? []

/** Kinds with which a user does no more than their name says. */
const NO_FURTHER = [
  'CREATE_INVITATIONS',
  'CREATE_OAUTH2_CREDENTIAL',
  'CREATE_PRIVATE_KEYS',
  'CREATE_PRIVATE_KEY_TAG',
  'CREATE_READ_ONLY_SESSION',
  'CREATE_SESSION_PROFILE',
  'CREATE_SUB_ORGANIZATION',
  'CREATE_USER_TAG',
  'CREATE_VELOCITY_CONTROL',
  'CREATE_WALLET',
  'DELETE_INVITATION',
  'DELETE_OAUTH2_CREDENTIAL',
  'DELETE_PRIVATE_KEYS',
  'DELETE_SECRETS',
  'DELETE_VELOCITY_CONTROL',
  'DELETE_WALLETS',
  'DELETE_WALLET_ACCOUNTS',
  'EXPORT_PRIVATE_KEY',
  'EXPORT_SECRETS',
  'EXPORT_WALLET',
  'EXPORT_WALLET_ACCOUNT',
  'IMPORT_PRIVATE_KEY',
  'IMPORT_SECRETS',
  'IMPORT_WALLET',
  'INIT_IMPORT_PRIVATE_KEY',
  'INIT_IMPORT_SECRETS',
  'INIT_IMPORT_WALLET',
  'OAUTH',
  'OAUTH2_AUTHENTICATE',
  'OAUTH_LOGIN',
  'SIGN_TRANSACTION',
  'STAMP_LOGIN',
  'UPDATE_OAUTH2_CREDENTIAL',
  'VERIFY_WALLET_AUTHENTICATOR',
]

test('the cookbook names each kind of activity whose right reaches further than the activity', () => {
  const decided = activities.filter(({ authority, vote }) => authority.kind !== 'rootQuorum' && !vote)
  const kinds = [...new Set(decided.flatMap(({ forms }) => forms.map(({ type }) => kindOf(type))))]
  const named = section.match(/^\| `.*? \|/gm)?.join() ?? ''
  const isNamed = (kind: string) => named.includes(`\`${kind}\``)
  assert.deepEqual(kinds.filter((kind) => !isNamed(kind)).toSorted(), NO_FURTHER)
})

test('the cookbook names the activities that name private keys or wallets, and that a DENY policy about one misses', () => {
  const missing = [
    { names: /"(\w*[pP]rivateKey(Tag)?Ids?)":/, shown: 'private_key' },
    { names: /"(\w*[wW]allet(Account)?Ids?)":/, shown: 'wallet' },
  ].flatMap(({ names, shown }) =>
    activities.filter(
      ({ forms, namespaces = {} }) =>
        names.test(JSON.stringify(forms.at(-1)?.intent.schema)) && !Object.hasOwn(namespaces, shown),
    ),
  )
  const [, paragraph = ''] = /\n\*\*A DENY policy about one key or wallet\*\*(.*)/s.exec(section) ?? []
  const kinds = missing.map(({ forms }) => kindOf(forms[0]?.type ?? ''))
  assert.ok(kinds.includes('DELETE_PRIVATE_KEYS'))
  assert.deepEqual(
    kinds.filter((kind) => !paragraph.includes(`\`${kind}\``)),
    [],
  )
})

/** Mallory, whom a policy lets do these kinds, and nothing else. */
async function aSetting(t: TestContext, ...kinds: readonly string[]) {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const mallory = await service.user('Mallory')
  const list = kinds.map((kind) => `'${kind}'`).join(', ')
  const isMallory = `approvers.any(u, u.id == '${mallory.userId}')`
  const policy = (effect: string, condition: string, consensus?: string) =>
    service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: condition.slice(0, 200),
      effect: `EFFECT_${effect}`,
      condition,
      ...(consensus === undefined ? {} : { consensus }),
    })
  await policy('ALLOW', `activity.kind in [${list}]`, isMallory)
  return {
    service,
    root,
    mallory,
    isMallory,
    policy,
    in: { service, by: root },
    /** Whether a message is signed, with a key or an account. */
    isSigned: async (by: Member, signWith: string) => isDone(service, by, SIGN, { signWith, ...MESSAGE }),
  }
}

const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const MESSAGE = {
  payload: 'hello',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
}

async function isDone(
  service: TestService,
  by: Member,
  type: string,
  parameters: object,
  where: object = {},
): Promise<boolean> {
  service.world.advance(1)
  const { status, json, text } = await service.submit(by, type, parameters, where)
  if (status === 200) return json.activity.status === 'ACTIVITY_STATUS_COMPLETED'
  assert.equal(status, 403, text)
  return false
}

/** Something that only the root quorum may do. */
function isRoot(service: TestService, by: Member): Promise<boolean> {
  return isDone(service, by, 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: 'Mine' })
}

test('a right to add keys, or to open sessions, is that of a root user', async (t) => {
  const { service, root, mallory } = await aSetting(t, 'CREATE_API_KEYS', 'CREATE_READ_WRITE_SESSION')
  const { userId } = root
  assert.equal(await isRoot(service, mallory), false)
  const added = service.newKey()
  await service.done(mallory, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
    userId,
    apiKeys: [{ apiKeyName: 'Key', publicKey: added.publicKey, curveType: 'API_KEY_CURVE_P256' }],
  })
  assert.equal(await isRoot(service, { ...root, key: added }), true)
  const target = aTarget(service)
  const { credentialBundle } = await service.done(mallory, 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', {
    targetPublicKey: target.publicKey,
    userId,
  })
  assert.equal(await isRoot(service, { ...root, key: keyInBundle(credentialBundle, target) }), true)
})

test('a right to add passkeys is that of a root user', async (t) => {
  const { service, root, mallory } = await aSetting(t, 'CREATE_AUTHENTICATORS')
  const { organizationId, userId } = root
  const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
  const challenge = Buffer.from('a challenge').toString('base64url')
  const attestation = passkey.register(challenge, 'http://localhost')
  const authenticators = [{ authenticatorName: 'Phone', challenge, attestation }]
  await service.done(mallory, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', { userId, authenticators })
  const body = JSON.stringify({ organizationId })
  const { stampHeaderName, stampHeaderValue } = passkey.assert(body, 'http://localhost')
  const { json } = await service.post('/public/v1/query/whoami', body, {
    [stampHeaderName]: stampHeaderValue,
  })
  assert.equal(json.userId, userId)
})

test('the link in a mail with a key is what the sender of the request says, in sub-organizations too', async (t) => {
  const { service, root, mallory } = await aSetting(t, 'EMAIL_AUTH')
  const name = 'FEATURE_NAME_EMAIL_AUTH'
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name })
  const key = service.newKey()
  const { subOrganizationId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
    subOrganizationName: 'Customer',
    rootUsers: [
      {
        userName: 'Ada',
        userEmail: 'ada@example.com',
        apiKeys: [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
      },
    ],
    rootQuorumThreshold: 1,
  })
  await sentMessages(service)
  const target = aTarget(service)
  const magicLinkTemplate = 'https://mallory.example/%s'
  const parameters = {
    email: 'ada@example.com',
    targetPublicKey: target.publicKey,
    emailCustomization: { appName: 'Shop', magicLinkTemplate },
  }
  const where = { organizationId: subOrganizationId }
  const { userId } = await service.done(mallory, 'ACTIVITY_TYPE_EMAIL_AUTH_V3', parameters, where)
  const [mail] = await sentMessages(service)
  assert.ok(mail?.channel === 'email')
  assert.equal(mail.customization.magicLinkTemplate, magicLinkTemplate)
  const ada = { organizationId: subOrganizationId, userId, key: keyInBundle(mail.bundle ?? '', target) }
  assert.equal(await isRoot(service, ada), true)
})

test('a right to create users is one to be two users with any tag', async (t) => {
  const { service, mallory, policy, isSigned, ...setting } = await aSetting(t, 'CREATE_USERS')
  const tag = await aTag(setting.in, 'user')
  await policy(
    'ALLOW',
    "activity.action == 'SIGN'",
    `approvers.filter(u, u.tags.contains('${tag}')).count() >= 2`,
  )
  const { privateKeyId } = await aPrivateKey(setting.in)
  assert.equal(await isSigned(mallory, privateKeyId), false)
  const keys = [service.newKey(), service.newKey()]
  const users = keys.map(({ publicKey }, at) => ({
    userName: `Mallory ${at}`,
    apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [tag],
  }))
  const { userIds } = await service.done(mallory, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
  const [first, second] = keys.map((key, at) => ({ ...mallory, userId: userIds[at], key }))
  assert.ok(first && second)
  const { json } = await service.submit(first, SIGN, { signWith: privateKeyId, ...MESSAGE })
  const { fingerprint } = json.activity
  assert.equal(await isDone(service, second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }), true)
})

test('a right over tags or names of users decides who counts', async (t) => {
  const { service, mallory, policy, isSigned, ...setting } = await aSetting(
    t,
    'UPDATE_USER_TAG',
    'UPDATE_USER_NAME',
  )
  const tag = await aTag(setting.in, 'user')
  const { privateKeyId: hot } = await aPrivateKey(setting.in, 'Hot')
  const { privateKeyId: cold } = await aPrivateKey(setting.in, 'Cold')
  const signsWith = (privateKeyId: string) =>
    `activity.action == 'SIGN' && private_key.id == '${privateKeyId}'`
  await policy('ALLOW', signsWith(hot), `approvers.any(u, u.tags.contains('${tag}'))`)
  await policy('ALLOW', signsWith(cold), "approvers.any(u, u.alias == 'Ada')")
  const ada = await service.user('Ada')
  const { userId } = mallory
  assert.equal(await isSigned(mallory, hot), false)
  await service.done(mallory, 'ACTIVITY_TYPE_UPDATE_USER_TAG', {
    userTagId: tag,
    addUserIds: [userId],
    removeUserIds: [],
  })
  assert.equal(await isSigned(mallory, hot), true)
  assert.equal(await isSigned(mallory, cold), false)
  const rename = (whose: string, userName: string) =>
    service.done(mallory, 'ACTIVITY_TYPE_UPDATE_USER_NAME', { userId: whose, userName })
  await rename(ada.userId, 'Somebody')
  await rename(userId, 'Ada')
  assert.equal(await isSigned(mallory, cold), true)
})

test('a right to delete tags takes the users of a DENY policy from it', async (t) => {
  const { service, mallory, policy, isMallory, isSigned, ...setting } = await aSetting(t, 'DELETE_USER_TAGS')
  const tag = await aTag(setting.in, 'user', [mallory.userId])
  await policy('ALLOW', "activity.action == 'SIGN'", isMallory)
  await policy('DENY', "activity.resource == 'PRIVATE_KEY'", `approvers.any(u, u.tags.contains('${tag}'))`)
  const { privateKeyId } = await aPrivateKey(setting.in)
  assert.equal(await isSigned(mallory, privateKeyId), false)
  await service.done(mallory, 'ACTIVITY_TYPE_DELETE_USER_TAGS', { userTagIds: [tag] })
  assert.equal(await isSigned(mallory, privateKeyId), true)
})

test('a right over tags of keys, names of wallets or accounts decides which keys a condition means', async (t) => {
  const { service, root, mallory, policy, isMallory, isSigned, ...setting } = await aSetting(
    t,
    'UPDATE_PRIVATE_KEY_TAG',
    'UPDATE_WALLET',
    'CREATE_WALLET_ACCOUNTS',
  )
  const tag = await aTag(setting.in, 'private_key')
  const { privateKeyId } = await aPrivateKey(setting.in)
  const cold = await aWallet(setting.in, 'Cold')
  const signs = "activity.action == 'SIGN'"
  await policy('ALLOW', `${signs} && private_key.tags.contains('${tag}')`, isMallory)
  await policy('ALLOW', `${signs} && wallet.label == 'Hot'`, isMallory)
  await policy('DENY', `${signs} && wallet_account.address == '${cold.address}'`)
  assert.equal(await isSigned(mallory, privateKeyId), false)
  await service.done(mallory, 'ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG', {
    privateKeyTagId: tag,
    addPrivateKeyIds: [privateKeyId],
    removePrivateKeyIds: [],
  })
  assert.equal(await isSigned(mallory, privateKeyId), true)
  const { walletId } = cold
  await service.done(mallory, 'ACTIVITY_TYPE_UPDATE_WALLET', { walletId, walletName: 'Hot' })
  assert.equal(await isSigned(mallory, cold.address), false)
  const { json } = await service.query(root, 'list_wallet_accounts', { walletId })
  const { curve, pathFormat, path } = json.accounts[0]
  const account = { curve, pathFormat, path, addressFormat: 'ADDRESS_FORMAT_COMPRESSED' }
  const made = await service.done(mallory, 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
    walletId,
    accounts: [account],
  })
  assert.equal(await isSigned(mallory, made.addresses[0]), true)
})

test('a right to create policies is that of a root user, and one to delete them takes denials away', async (t) => {
  const { service, root, mallory, isMallory, policy, isSigned, ...setting } = await aSetting(
    t,
    'CREATE_POLICY',
    'DELETE_POLICY',
  )
  const { privateKeyId } = await aPrivateKey(setting.in)
  await policy('ALLOW', "activity.action == 'SIGN'", isMallory)
  const { policyId } = await policy('DENY', "activity.resource == 'PRIVATE_KEY'", isMallory)
  assert.equal(await isSigned(mallory, privateKeyId), false)
  await service.done(mallory, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  assert.equal(await isSigned(mallory, privateKeyId), true)
  await service.done(mallory, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Mine',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'CREATE_API_KEYS'",
    consensus: isMallory,
    notes: '',
  })
  const added = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: added.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  await service.done(mallory, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: root.userId, apiKeys })
  assert.equal(await isRoot(service, { ...root, key: added }), true)
})

test('a right over MFA policies locks the only root user out', async (t) => {
  const { service, root, mallory } = await aSetting(t, 'CREATE_MFA_POLICY')
  await service.done(mallory, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId: root.userId,
    mfaPolicyName: 'Out',
    condition: "activity.kind != ''",
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    order: 0,
  })
  assert.equal(await isRoot(service, root), false)
})

test('a DENY policy about one key keeps it neither from being deleted nor from another tag', async (t) => {
  const kinds = ['DELETE_PRIVATE_KEYS', 'CREATE_PRIVATE_KEY_TAG']
  const { service, mallory, policy, ...setting } = await aSetting(t, ...kinds)
  const { privateKeyId } = await aPrivateKey(setting.in)
  await policy('DENY', `private_key.id == '${privateKeyId}'`)
  const tag = { privateKeyTagName: 'Hot', privateKeyIds: [privateKeyId] }
  assert.equal(await isDone(service, mallory, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', tag), true)
  const deletion = { privateKeyIds: [privateKeyId], deleteWithoutExport: true }
  assert.equal(await isDone(service, mallory, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', deletion), true)
})
