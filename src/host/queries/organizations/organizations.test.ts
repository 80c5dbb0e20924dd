import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aSubOrganization,
  CREATE_SUB_ORGANIZATION,
  rootUser,
} from '../../../trusted/activities/organizations/testing/sub-organization.ts'
import { openSqlite } from '../../store/sqlite/sqlite.ts'
import { aService, type TestService } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'

const listed = async (service: TestService, body: object = {}): Promise<readonly string[]> => {
  const { status, json, text } = await service.query(service.root, 'list_suborgs', body)
  assert.equal(status, 200, text)
  return json.organizationIds
}

test('five hundred sub-organizations are listed page by page, forwards and backwards', async (t) => {
  const service = await aService()
  t.after(service.close)
  const key = service.newKey()
  const made: string[] = []
  for (let i = 0; i < 500; i++) {
    const { subOrganizationId } = await service.done(service.root, CREATE_SUB_ORGANIZATION, {
      subOrganizationName: i % 2 === 0 ? 'Even' : 'Odd',
      rootQuorumThreshold: 1,
      rootUsers: [rootUser('Ada', key)],
    })
    made.push(subOrganizationId)
  }
  const pages = async (
    direction: 'after' | 'before',
    { limit, filter = {}, from }: { limit: number; filter?: object; from?: string | undefined },
  ): Promise<readonly string[]> => {
    const found: string[] = []
    for (let cursor = from; ; ) {
      const at = cursor === undefined ? {} : { [direction]: cursor }
      const page = await listed(service, { ...filter, paginationOptions: { limit: String(limit), ...at } })
      assert.ok(page.length <= limit)
      if (direction === 'after') found.push(...page)
      else found.unshift(...page)
      if (page.length < limit) return found
      cursor = direction === 'after' ? page.at(-1) : page[0]
    }
  }
  const odd = made.filter((_, i) => i % 2 === 1)
  const filter = { filterType: 'NAME', filterValue: 'Odd' }
  const last = made.at(-1)

  assert.deepEqual(await listed(service), made.slice(0, 10))
  assert.deepEqual(await pages('after', { limit: 100 }), made)
  assert.deepEqual(await pages('before', { limit: 100, from: last }), made.slice(0, -1))
  assert.deepEqual(await pages('after', { limit: 33, filter }), odd)
  assert.deepEqual(await pages('before', { limit: 33, filter, from: last }), odd.slice(0, -1))
  const between = { limit: '5', after: made[10], before: made[13] }
  assert.deepEqual(await listed(service, { paginationOptions: between }), made.slice(11, 13))
})

test('a sub-organization is found by whatever stands in it, and by that alone', async (t) => {
  const service = await aService()
  t.after(service.close)
  const key = service.newKey()
  const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
  const authenticators = [
    {
      authenticatorName: 'Phone',
      challenge: 'AAAA',
      attestation: passkey.register('AAAA', 'https://app.example'),
    },
  ]
  const { subOrganizationId } = await service.done(service.root, CREATE_SUB_ORGANIZATION, {
    subOrganizationName: 'Customer 4711',
    rootQuorumThreshold: 1,
    rootUsers: [
      rootUser('Ada', key, {
        userEmail: 'Ada.K@Example.com',
        userPhoneNumber: '+15551234567',
        authenticators,
      }),
    ],
  })
  const other = await aSubOrganization(service)
  const all = [subOrganizationId, other.organizationId]
  const finds: readonly (readonly [string, string, readonly string[]])[] = [
    ['NAME', 'Customer 4711', [subOrganizationId]],
    ['NAME', 'customer 4711', []],
    ['NAME', 'Customer', []],
    ['USERNAME', 'Ada', all],
    ['USERNAME', 'Ben', [other.organizationId]],
    ['EMAIL', 'ada.k@example.com', [subOrganizationId]],
    ['EMAIL', 'ADA.K@EXAMPLE.COM', [subOrganizationId]],
    // The sign for kelvin, which is a `k` to who folds more than ASCII.
    ['EMAIL', 'ada.\u212A@example.com', []],
    ['EMAIL', 'ben@example.com', []],
    ['PHONE_NUMBER', '+15551234567', [subOrganizationId]],
    ['PUBLIC_KEY', key.publicKey, [subOrganizationId]],
    ['PUBLIC_KEY', key.publicKey.toUpperCase(), [subOrganizationId]],
    ['PUBLIC_KEY', service.root.key.publicKey, []],
    ['CREDENTIAL_ID', passkey.credentialId, [subOrganizationId]],
    ['CREDENTIAL_ID', 'unknown', []],
    ['OIDC_TOKEN', jwt({ alg: 'RS256' }, { iss: 'https://accounts.example', sub: '1', aud: 'app' }), []],
    ['', '', all],
  ]

  for (const [filterType, filterValue, expected] of finds)
    assert.deepEqual(
      await listed(service, { filterType, filterValue }),
      expected,
      `${filterType} ${filterValue}`,
    )
  assert.deepEqual(await listed(service), all)
  const inside = await service.query(other.roots[0], 'list_suborgs')
  assert.deepEqual(inside.json, { organizationIds: [] })
})

test('what changes in a sub-organization is found by its new value and no longer by the old', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { organizationId, roots } = await aSubOrganization(service, { name: 'Before' })

  await service.done(roots[0], 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: 'After' })

  assert.deepEqual(await listed(service, { filterType: 'NAME', filterValue: 'Before' }), [])
  assert.deepEqual(await listed(service, { filterType: 'NAME', filterValue: 'After' }), [organizationId])
})

test('a filter or a page that means nothing is refused', async (t) => {
  const service = await aService()
  t.after(service.close)
  const refused: readonly (readonly [object, RegExp])[] = [
    [
      { filterType: 'COLOUR', filterValue: 'red' },
      /field `filterType` must be one of CREDENTIAL_ID, .*"COLOUR"/,
    ],
    [{ filterType: 'SUB_ORGANIZATION', filterValue: 'x' }, /field `filterType` must be one of/],
    // An empty list would say that no sub-organization has it.
    [
      { filterType: 'WALLET_ACCOUNT_ADDRESS', filterValue: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      /field `filterType` must not be WALLET_ACCOUNT_ADDRESS here: /,
    ],
    [{ filterType: 'NAME' }, /field `filterValue` must not be empty/],
    [{ filterValue: 'Sub' }, /field `filterType` must be given/],
    [{ filterType: 'OIDC_TOKEN', filterValue: 'no token' }, /invalid OIDC token/],
    [{ filterType: 'OIDC_TOKEN', filterValue: 'a.b.c' }, /invalid OIDC token/],
    [{ filterType: 'OIDC_TOKEN', filterValue: `${jwt({}, {})}.more` }, /invalid OIDC token/],
    [{ paginationOptions: { limit: '0' } }, /field `paginationOptions.limit`/],
    [{ paginationOptions: { limit: '101' } }, /field `paginationOptions.limit`/],
    [{ paginationOptions: { limit: 10 } }, /field `paginationOptions.limit`/],
    [{ paginationOptions: { after: 'x' } }, /field `paginationOptions.after`/],
    [{ more: true }, /field `more` is not a field/],
  ]

  for (const [body, message] of refused) {
    const { status, json } = await service.query(service.root, 'list_suborgs', body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(json.code, 3)
    assert.match(json.message, message)
  }
})

test('get_organization shows the whole organization as the queries for each part do', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, organizationId } = service
  const { userTagId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Team',
    userIds: [],
  })
  await service.user('Member', { userTags: [userTagId] })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [{ privateKeyName: 'Key', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }],
  })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Wallet', accounts: [] })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Members sign',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: 'true',
    notes: 'A note',
  })
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_EMAIL_AUTH',
    value: '',
  })
  const { invitationIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_INVITATIONS', {
    invitations: [
      {
        receiverUserName: 'Guest',
        receiverUserEmail: 'guest@example.com',
        receiverUserTags: [userTagId],
        accessType: 'ACCESS_TYPE_WEB',
        senderUserId: root.userId,
      },
    ],
  })
  const part = async (operation: string) => (await service.query(root, operation)).json

  const { organizationData } = await part('get_organization')

  const { configs } = await part('get_organization_configs')
  const { invitations, ...rest } = organizationData
  assert.deepEqual(rest, {
    organizationId,
    name: 'Test',
    users: (await part('list_users')).users,
    policies: (await part('list_policies')).policies,
    privateKeys: (await part('list_private_keys')).privateKeys,
    wallets: (await part('list_wallets')).wallets,
    tags: (await part('list_user_tags')).userTags,
    rootQuorum: configs.quorum,
    features: configs.features,
  })
  assert.equal(rest.privateKeys.length, 1)
  assert.equal(rest.wallets.length, 1)
  assert.equal(invitations[0].invitationId, invitationIds[0])
  assert.equal(invitations[0].receiverEmail, 'guest@example.com')
  assert.equal(invitations[0].status, 'INVITATION_STATUS_CREATED')
  assert.match(invitations[0].createdAt.seconds, /^\d+$/)
})

function jwt(header: object, claims: object): string {
  return [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
    .concat('.c2ln')
}

test('a page of sub-organizations asks the store as often as one sub-organization does', async (t) => {
  const inner = openSqlite({ path: ':memory:' })
  let asked = 0
  const counted =
    <Args extends readonly unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      asked += 1
      return read(...args)
    }
  const store = {
    ...inner,
    charter: counted(inner.charter),
    charters: counted(inner.charters),
    find: counted(inner.find),
  }
  const service = await aService({ store })
  t.after(service.close)
  const key = service.newKey()
  const costs: number[] = []
  for (const subOrganizations of [1, 30]) {
    for (let i = 0; i < subOrganizations; i++)
      await service.done(service.root, CREATE_SUB_ORGANIZATION, {
        subOrganizationName: 'Sub',
        rootQuorumThreshold: 1,
        rootUsers: [rootUser('Ada', key)],
      })
    asked = 0
    await listed(service, { paginationOptions: { limit: '100' } })
    costs.push(asked)
  }
  assert.equal(costs[0], costs[1])
})
