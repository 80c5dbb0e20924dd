import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'
import { aSubOrganization, CREATE_SUB_ORGANIZATION, requestOf, rootUser } from './testing/sub-organization.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION'
const DELETE = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION'
const CREATE_KEYS = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
const RENAME = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME'

const ORIGIN = 'https://app.example'
const aKey = {
  privateKeyName: 'Spending',
  curve: 'CURVE_SECP256K1',
  privateKeyTags: [],
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
}

test('every published version makes an organization whose root users can sign in at once', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const plain = (userName: string) => {
    const key = service.newKey()
    const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey }]
    return { key, v1: { userName, apiKeys, authenticators: [] } }
  }

  for (const version of ['', '_V2', '_V3', '_V4', '_V5', '_V6', '_V7', '_V8']) {
    const number = version === '' ? 1 : Number(version.slice(2))
    const [ada, ben] = [plain('Ada'), plain('Ben')]
    const params = [ada, ben].map(({ key, v1 }) =>
      number >= 6 ? rootUser(v1.userName, key) : number === 5 ? { ...v1, oauthProviders: [] } : v1,
    )
    const named = { subOrganizationName: `Sub ${number}`, rootUsers: params, rootQuorumThreshold: 2 }
    const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
    const challenge = 'AAAA'
    const rootAuthenticator = {
      authenticatorName: 'Phone',
      challenge,
      attestation: passkey.register(challenge, ORIGIN),
    }
    const intent =
      number === 1
        ? { name: 'Sub 1', rootAuthenticator }
        : number === 3
          ? { ...named, privateKeys: [aKey] }
          : named

    const { json, text } = await service.submit(root, `${CREATE}${version}`, intent)
    assert.equal(json.activity?.status, 'ACTIVITY_STATUS_COMPLETED', text)
    const {
      [number < 3 ? `createSubOrganizationResult` : `createSubOrganizationResult${version.slice(1)}`]: result,
    } = json.activity.result

    const { subOrganizationId, rootUserIds } = result
    const keys = ['subOrganizationId', 'rootUserIds', ...(number === 3 ? ['privateKeys'] : [])]
    assert.deepEqual(Object.keys(result).sort(), keys.sort())
    assert.equal(rootUserIds.length, number === 1 ? 1 : 2)
    const expected = { organizationId: subOrganizationId, organizationName: `Sub ${number}` }
    if (number === 1) {
      const body = JSON.stringify({ organizationId: subOrganizationId })
      const { stampHeaderName, stampHeaderValue } = passkey.assert(body, ORIGIN)
      const headers = { [stampHeaderName]: stampHeaderValue }
      const whoami = await service.post('/public/v1/query/whoami', body, headers)
      assert.deepEqual(whoami.json, { ...expected, userId: rootUserIds[0], username: 'Root user' })
    } else {
      const member = { organizationId: subOrganizationId, userId: rootUserIds[1], key: ben.key }
      const whoami = await service.query(member, 'whoami')
      assert.deepEqual(whoami.json, { ...expected, userId: rootUserIds[1], username: 'Ben' })
    }
    const { configs } = (
      await service.query(root, 'get_organization_configs', { organizationId: subOrganizationId })
    ).json
    assert.deepEqual(configs.quorum, { threshold: number === 1 ? 1 : 2, userIds: rootUserIds })
  }

  // `createSuborg` of `@turnkey/sdk-server` 1.7 to 4.10 signs up so with a wallet, a passkey or a telephone number.
  for (const version of ['_V7', '_V8']) {
    const key = service.newKey()
    const rootUsers = [rootUser('', key, { userEmail: '' })]
    const named = { subOrganizationName: 'suborg-1', rootUsers, rootQuorumThreshold: 1 }
    const { subOrganizationId, rootUserIds } = await service.done(root, `${CREATE}${version}`, named)
    const member = { organizationId: subOrganizationId, userId: rootUserIds[0], key }
    assert.equal((await service.query(member, 'whoami')).json.username, 'Root user')
  }
})

test('private keys of the third form belong to the new organization and answer with their addresses', async (t) => {
  const service = await aService()
  t.after(service.close)
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey }]
  const intent = {
    subOrganizationName: 'With keys',
    rootUsers: [{ userName: 'Ada', apiKeys, authenticators: [] }],
    rootQuorumThreshold: 1,
    privateKeys: [aKey, { ...aKey, privateKeyName: 'Saving', curve: 'CURVE_ED25519', addressFormats: [] }],
  }

  const result = await service.done(service.root, `${CREATE}_V3`, intent)

  const ada: Member = { organizationId: result.subOrganizationId, userId: result.rootUserIds[0], key }
  const listed = (await service.query(ada, 'list_private_keys')).json.privateKeys
  assert.deepEqual(
    result.privateKeys,
    listed
      .map((item: JsonKey) => ({ privateKeyId: item.privateKeyId, addresses: item.addresses }))
      .toSorted((a: JsonKey, b: JsonKey) => b.addresses.length - a.addresses.length),
  )
  assert.deepEqual((await service.query(service.root, 'list_private_keys')).json.privateKeys, [])
  const signed = await service.done(ada, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith: result.privateKeys[0].addresses[0].address,
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  assert.equal(signed.r.length, 64)
  for (const privateKeys of [[aKey, aKey], [{ ...aKey, privateKeyTags: [service.organizationId] }]])
    assert.notEqual(
      (await service.submit(service.root, `${CREATE}_V3`, { ...intent, privateKeys })).status,
      200,
    )
})

type JsonKey = { readonly privateKeyId: string; readonly addresses: readonly object[] }

test('in a new sub-organization every login is on that was not switched off', async (t) => {
  const service = await aService()
  t.after(service.close)
  const switches = [
    ['disableEmailAuth', 'FEATURE_NAME_EMAIL_AUTH'],
    ['disableOtpEmailAuth', 'FEATURE_NAME_OTP_EMAIL_AUTH'],
    ['disableSmsAuth', 'FEATURE_NAME_SMS_AUTH'],
    ['disableEmailRecovery', 'FEATURE_NAME_EMAIL_RECOVERY'],
  ] as const

  for (let off = 0; off < 16; off++) {
    const disabled = Object.fromEntries(switches.map(([field], bit) => [field, ((off >> bit) & 1) === 1]))
    const features = switches.filter((_, bit) => ((off >> bit) & 1) === 0).map(([, name]) => ({ name }))
    const { subOrganizationId: organizationId } = await service.done(service.root, CREATE_SUB_ORGANIZATION, {
      subOrganizationName: 'Sub',
      rootQuorumThreshold: 1,
      rootUsers: [rootUser('Ada', service.newKey())],
      ...disabled,
    })
    const { configs } = (await service.query(service.root, 'get_organization_configs', { organizationId }))
      .json
    assert.deepEqual(configs.features, features)
  }
})

test('an organization with one bad root user is not made at all', async (t) => {
  const service = await aService()
  t.after(service.close)
  const [one, other] = [service.newKey(), service.newKey()]
  const bare = { userName: 'Ben', apiKeys: [], authenticators: [], oauthProviders: [] }
  const withEmail = { ...bare, userEmail: 'ben@example.com' }
  const emailOff = { disableEmailAuth: true, disableOtpEmailAuth: true }
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ rootUsers: [rootUser('Ada', one), bare] }, /user missing valid credential: [0-9a-f-]{36}$/],
    [{ rootUsers: [rootUser('Ada', one), withEmail], ...emailOff }, /user missing valid credential/],
    [{ rootUsers: [rootUser('Ada', one), rootUser('Ben', one)] }, /credential must be unique/],
    [{ rootUsers: [rootUser('Ada', one), rootUser('Ada', other)] }, /user label must be unique/],
    [{ rootUsers: [rootUser('Ada', one), rootUser('Ben', { ...other, publicKey: '02ff' })] }, /api ?key/i],
    [{ rootUsers: [] }, /quorum users missing/],
    [
      { rootUsers: [rootUser('Ada', one)], rootQuorumThreshold: 0 },
      /quorum threshold must be non-zero integer/,
    ],
    [
      { rootUsers: [rootUser('Ada', one)], rootQuorumThreshold: 2 },
      /at most the number of root users: 2 of 1/,
    ],
    [{ rootUsers: [rootUser('Ada', one)], subOrganizationName: '' }, /subOrganizationName/],
  ]

  for (const [parameters, message] of refused) {
    const whole = { subOrganizationName: 'Sub', rootQuorumThreshold: 1, ...parameters }
    const { status, json } = await service.submit(service.root, CREATE_SUB_ORGANIZATION, whole)
    assert.equal(status, 400, JSON.stringify(parameters))
    assert.match(json.message, message)
  }
  assert.deepEqual((await service.query(service.root, 'list_suborgs')).json, { organizationIds: [] })
})

const account = (path: string, addressFormat = 'ADDRESS_FORMAT_ETHEREUM') => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path,
  addressFormat,
})

test('a wallet is made with the new organization, belongs to it, and answers with its addresses, in every form that has one', async (t) => {
  const service = await aService()
  t.after(service.close)
  const wallet = {
    walletName: 'Default',
    accounts: [
      account("m/44'/60'/0'/0/0"),
      account("m/84'/0'/0'/0/0", 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH'),
    ],
    mnemonicLength: 24,
  }
  for (const version of ['V4', 'V5', 'V6', 'V7', 'V8']) {
    const key = service.newKey()
    const apiKeys = [
      {
        apiKeyName: 'Key',
        publicKey: key.publicKey,
        ...(version < 'V6' ? {} : { curveType: 'API_KEY_CURVE_P256' }),
      },
    ]
    const oauthProviders = version === 'V4' ? {} : { oauthProviders: [] }
    const made = await service.done(service.root, `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${version}`, {
      subOrganizationName: `Customer ${version}`,
      rootQuorumThreshold: 1,
      rootUsers: [{ userName: 'Ada', apiKeys, authenticators: [], ...oauthProviders }],
      wallet,
    })
    const [ethereum, bitcoin] = made.wallet.addresses
    assert.match(ethereum, /^0x[0-9a-fA-F]{40}$/)
    assert.match(bitcoin, /^bc1q/)
    const ada = { organizationId: made.subOrganizationId, userId: made.rootUserIds[0], key }
    const { json } = await service.query(ada, 'list_wallets')
    assert.equal(json.wallets[0].walletId, made.wallet.walletId)
    const signature = await service.done(ada, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: ethereum,
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    })
    assert.match(signature.r, /^[0-9a-f]{64}$/)
  }
  assert.deepEqual((await service.query(service.root, 'list_wallets')).json, { wallets: [] })
})

test('an organization whose wallet cannot be made is not made at all', async (t) => {
  const service = await aService()
  t.after(service.close)
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ accounts: [] }, /^missing wallet params: wallet.walletName is required$/],
    [{ walletName: 'Default' }, /^missing wallet params: wallet.accounts is required$/],
    [{ walletName: 'Default', accounts: [account('44/60')] }, /^invalid path: "44\/60"/],
    [
      { walletName: 'Default', accounts: [account("m/0'", 'ADDRESS_FORMAT_SOLANA')] },
      /^invalid address format/,
    ],
    [{ walletName: 'Default', accounts: [], mnemonicLength: 13 }, /^invalid mnemonic length/],
  ]
  for (const [wallet, message] of refused) {
    const rootUsers = [rootUser('Ada', service.newKey())]
    const parameters = { subOrganizationName: 'Sub', rootQuorumThreshold: 1, rootUsers, wallet }
    const { status, json } = await service.submit(service.root, CREATE_SUB_ORGANIZATION, parameters)
    assert.equal(status, 400)
    assert.match(json.message, message)
  }
  assert.deepEqual((await service.query(service.root, 'list_suborgs')).json, { organizationIds: [] })
})

test('a sub-organization cannot own one, and nobody makes one without leave', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { roots } = await aSubOrganization(service)
  const user = await service.user('Clerk')
  const parameters = () => ({
    subOrganizationName: 'Sub',
    rootQuorumThreshold: 1,
    rootUsers: [rootUser('Ada', service.newKey())],
  })

  const nested = await service.submit(roots[0], CREATE_SUB_ORGANIZATION, parameters())
  const denied = await service.submit(user, CREATE_SUB_ORGANIZATION, parameters())
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Clerks make sub-organizations',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'ORGANIZATION' && activity.action == 'CREATE'",
    consensus: `approvers.any(user, user.id == '${user.userId}')`,
    notes: '',
  })
  const allowed = await service.submit(user, CREATE_SUB_ORGANIZATION, parameters())

  assert.equal(nested.status, 400)
  assert.equal(nested.json.turnkeyErrorCode, 'INVALID_ACTIVITY_CALLER')
  assert.equal(denied.status, 403)
  assert.equal(allowed.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test('users of the parent read a sub-organization and change nothing in it', async (t) => {
  const service = await aService()
  t.after(service.close)
  const user = await service.user('Clerk')
  const { organizationId } = await aSubOrganization(service, { name: 'Theirs' })

  for (const reader of [service.root, user]) {
    const read = await service.query(reader, 'get_organization_configs', { organizationId })
    assert.equal(read.status, 200)
    const { status, json } = await service.submit(
      reader,
      RENAME,
      { organizationName: 'Ours' },
      { organizationId },
    )
    assert.equal(status, 400)
    assert.equal(json.code, 3)
    assert.equal(json.turnkeyErrorCode, 'ORGANIZATION_MISMATCH')
    assert.equal(
      json.message,
      `organization mismatch: request is targeting organization (${organizationId}), but voters are in organization (${service.organizationId})`,
    )
  }
})

test('a user of the sub-organization is told whose votes a request of the parent waits for', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, organizationId: parentId, done, submit } = service
  await done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_EMAIL_AUTH' })
  await done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two clerks',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'EMAIL_AUTH'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  const clerks = [await service.user('Clerk'), await service.user('Other clerk')] as const
  const key = service.newKey()
  const { subOrganizationId: organizationId, rootUserIds } = await done(root, CREATE_SUB_ORGANIZATION, {
    subOrganizationName: 'Theirs',
    rootQuorumThreshold: 1,
    rootUsers: [rootUser('Ada', key, { userEmail: 'ada@example.com' })],
  })
  const ada = { organizationId, userId: rootUserIds[0], key }
  const email = { email: 'ada@example.com', targetPublicKey: service.newKey().publicKey }

  const asked = await submit(clerks[0], 'ACTIVITY_TYPE_EMAIL_AUTH', email, { organizationId })
  const { fingerprint, status } = asked.json.activity
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const approvedBy = (member: Member) =>
    submit(member, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }, { organizationId })
  const { json } = await approvedBy(ada)
  assert.equal(
    json.message,
    `organization mismatch: request is targeting organization (${organizationId}), but voters are in organization (${parentId})`,
  )
  assert.equal((await approvedBy(clerks[1])).json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test('whoami with the parent’s id finds the sub-organization by the credential, unless there are several', async (t) => {
  const service = await aService()
  t.after(service.close)
  const key = service.newKey()
  const create = async (): Promise<string> => {
    const parameters = {
      subOrganizationName: 'Sub',
      rootQuorumThreshold: 1,
      rootUsers: [rootUser('Ada', key), rootUser('Ben', service.newKey())],
    }
    return (await service.done(service.root, CREATE_SUB_ORGANIZATION, parameters)).subOrganizationId
  }
  const asked: Member = { organizationId: service.organizationId, userId: '', key }

  assert.equal((await service.query(asked, 'whoami')).status, 401)
  const organizationId = await create()
  assert.equal((await service.query(asked, 'whoami')).json.organizationId, organizationId)
  // Only whoami looks further than the organization that was named.
  assert.equal((await service.query(asked, 'get_organization_configs')).status, 401)
  await create()
  const ambiguous = await service.query(asked, 'whoami')
  assert.equal(ambiguous.status, 401)
  assert.equal(ambiguous.json.turnkeyErrorCode, 'CREDENTIAL_CONFLICT')
  assert.match(ambiguous.json.message, /more than one suborg associated with a public key/)
  assert.equal((await service.query(asked, 'whoami', { organizationId })).json.organizationId, organizationId)
})

test('where parent and sub-organization know the same key, it stands for the user of the sub-organization', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const { subOrganizationId: organizationId, rootUserIds } = await service.done(
    root,
    CREATE_SUB_ORGANIZATION,
    {
      subOrganizationName: 'Sub',
      rootQuorumThreshold: 1,
      rootUsers: [rootUser('Ada', root.key)],
    },
  )

  const whoami = await service.query(root, 'whoami', { organizationId })
  const renamed = await service.submit(root, RENAME, { organizationName: 'Mine' }, { organizationId })

  assert.equal(whoami.json.userId, rootUserIds[0])
  assert.equal(renamed.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(renamed.json.activity.votes[0].userId, rootUserIds[0])
  assert.equal((await service.query(root, 'whoami')).json.userId, root.userId)
})

test('a sub-organization is deleted with all that it holds, and only its last request is still answered', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { organizationId, roots } = await aSubOrganization(service)
  const [ada, ben] = roots
  await service.done(ada, CREATE_KEYS, { privateKeys: [aKey] })
  const { privateKeys } = (await service.query(ada, 'list_private_keys')).json
  const [{ addresses }] = privateKeys

  const kept = await service.submit(ada, DELETE, {})
  assert.equal(kept.status, 400)
  assert.match(kept.json.message, new RegExp(`have not been exported: ${privateKeys[0].privateKeyId}`))

  const request = requestOf(service, DELETE, organizationId, { deleteWithoutExport: true })
  const deleted = await request.sentBy(ada)
  assert.deepEqual(deleted.json.activity.result.deleteSubOrganizationResult, {
    subOrganizationUuid: organizationId,
  })

  assert.deepEqual((await request.sentBy(ada)).json, deleted.json)
  const notFound = { code: 5, message: `no organization found with the given ID: ${organizationId}` }
  for (const reader of [ada, ben, service.root]) {
    const { status, json } = await service.query(reader, 'whoami', { organizationId })
    assert.equal(status, 404)
    assert.deepEqual({ code: json.code, message: json.message }, notFound)
  }
  for (const sender of [ada, ben]) {
    assert.equal((await service.submit(sender, RENAME, { organizationName: 'Back' })).status, 404)
    const asked = { ...sender, organizationId: service.organizationId }
    assert.equal((await service.query(asked, 'whoami')).status, 401)
  }
  assert.deepEqual((await service.query(service.root, 'list_suborgs')).json, { organizationIds: [] })
  assert.deepEqual(await left(service, organizationId, addresses[0].address), [[], [], []])
})

/** What the store still has of an organization's keys: rows, entries, claims. */
async function left({ store }: TestService, scope: string, address: string): Promise<readonly unknown[]> {
  return [
    await store.objectsOfKind(scope, 'private_key', { limit: 10 }),
    await store.find({ scope, kind: 'ADDRESS', value: address }, { limit: 10 }),
    await store.claimed([{ scope, kind: 'PRIVATE_KEY_NAME', value: aKey.privateKeyName }]),
  ]
}

test('once every private key and wallet has been exported nothing more has to be said to delete a sub-organization', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { organizationId, roots } = await aSubOrganization(service)
  const [ada] = roots
  const { privateKeys } = await service.done(ada, CREATE_KEYS, {
    privateKeys: [aKey, { ...aKey, privateKeyName: 'Saving' }],
  })
  const { walletId } = await service.done(ada, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Saving',
    accounts: [account("m/44'/60'/0'/0/0")],
  })
  await service.done(ada, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId: ada.userId })
  await service.done(ada, 'ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId: ada.userId })
  const targetPublicKey = Buffer.from(p256.getPublicKey(p256.utils.randomSecretKey(), false)).toString('hex')

  for (const { privateKeyId } of privateKeys) {
    assert.match((await service.submit(ada, DELETE, {})).json.message, new RegExp(privateKeyId))
    await service.done(ada, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', { privateKeyId, targetPublicKey })
  }
  assert.match((await service.submit(ada, DELETE, {})).json.message, new RegExp(walletId))
  await service.done(ada, 'ACTIVITY_TYPE_EXPORT_WALLET', { walletId, targetPublicKey })

  assert.deepEqual(await service.done(ada, DELETE, {}), { subOrganizationUuid: organizationId })
  const kinds = ['private_key', 'import_target', 'wallet', 'wallet_account', 'wallet_import_target']
  for (const kind of kinds)
    assert.deepEqual(await service.store.objectsOfKind(organizationId, kind, { limit: 10 }), [])
})

test('a sub-organization that holds too much to go at once is deleted when there is less', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { roots } = await aSubOrganization(service)
  const [ada] = roots
  const keys = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...aKey,
      privateKeyName: `Key ${from + n}`,
      addressFormats: [],
    }))
  for (let from = 0; from < 1_000; from += 100)
    await service.done(ada, CREATE_KEYS, { privateKeys: keys(from, 100) })
  const { privateKeys } = await service.done(ada, CREATE_KEYS, { privateKeys: keys(1_000, 1) })
  const privateKeyIds = [privateKeys[0].privateKeyId]
  const refused = await service.submit(ada, DELETE, { deleteWithoutExport: true })
  assert.equal(refused.status, 400)
  assert.match(refused.json.message, /^a sub-organization with more than 1000 private keys cannot be deleted/)
  await service.done(ada, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', { privateKeyIds, deleteWithoutExport: true })
  await service.done(ada, DELETE, { deleteWithoutExport: true })
})

test('deleting takes the root quorum of the sub-organization, and a top-level organization is never deleted', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { organizationId, roots } = await aSubOrganization(service, { threshold: 2 })
  const request = requestOf(service, DELETE, organizationId, {})

  const top = await service.submit(service.root, DELETE, { deleteWithoutExport: true })
  const byParent = await request.sentBy(service.root)
  const first = await request.sentBy(roots[0])
  const second = await request.sentBy(roots[1])

  assert.equal(top.status, 400)
  assert.equal(top.json.turnkeyErrorCode, 'INVALID_ACTIVITY_CALLER')
  assert.equal(byParent.json.turnkeyErrorCode, 'ORGANIZATION_MISMATCH')
  assert.equal(first.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.equal(second.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test('what was waiting when its organization was deleted is never carried out', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { organizationId, roots } = await aSubOrganization(service, { threshold: 2 })
  const waiting = requestOf(service, CREATE_KEYS, organizationId, { privateKeys: [aKey] })
  await waiting.sentBy(roots[0])
  const deletion = requestOf(service, DELETE, organizationId, {})
  await deletion.sentBy(roots[0])
  await deletion.sentBy(roots[1])

  const late = await waiting.sentBy(roots[1])

  assert.equal(late.status, 404)
  assert.deepEqual(await service.store.objectsOfKind(organizationId, 'private_key', { limit: 10 }), [])
})
