import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonAnswer } from '../../../../test/support/service.ts'
import { activities } from '../../activities/list.ts'
import { activitiesByType } from '../../catalogue/submission.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { handlesIn } from './handles.ts'
import { handlesSaidOf, withoutPerson } from './personal-parts.ts'

const types = activitiesByType(activities)
const GRACE = '01a1fb67-0000-7000-8000-000000000001'
const MARY = '01a1fb67-0000-7000-8000-000000000002'
const ADMIN = '01a1fb67-0000-7000-8000-000000000003'

test('of two users who were made at once one is erased', () => {
  const users = [
    { userName: 'Grace', userEmail: 'grace@example.com', userTags: [ADMIN] },
    { userName: 'Mary', userEmail: 'mary@example.com', userTags: [] },
  ]
  const row = record('CREATE_USERS_V4', { users }, { createUsersResult: { userIds: [GRACE, MARY] } })
  const erased = without(row)
  assert.deepEqual(intentOf(erased), {
    users: [{ userName: '[erased]', userEmail: '', userTags: [ADMIN] }, users[1]],
  })
  assert.deepEqual(
    erased.parts.map(({ part }) => part),
    ['intent/users/0', 'votes/0/message'],
  )
  assert.equal(JSON.parse(erased.said.votes)[0].message, '')
  assert.equal(withoutPerson({ ...row, ...erased.said }, grace(), types), undefined, 'once is enough')
  const both = without({ ...row, ...erased.said }, MARY)
  assert.deepEqual(intentOf(both).users[1].userName, '[erased]')
  assert.deepEqual(
    both.parts.map(({ part }) => part),
    ['intent/users/1'],
  )
})

test('the passkey of the first form of a sub-organization is that of its only user', () => {
  const rootAuthenticator = {
    authenticatorName: 'Phone of Grace',
    challenge: 'x',
    attestation: { credentialId: 'c' },
  }
  const erased = without(record('CREATE_SUB_ORGANIZATION', { name: 'Sub', rootAuthenticator }, made([GRACE])))
  assert.deepEqual(intentOf(erased), {
    name: 'Sub',
    rootAuthenticator: {
      authenticatorName: '[erased]',
      challenge: '[erased]',
      attestation: { credentialId: '[erased]' },
    },
  })
})

test('what proves a contact goes with the root user whose contact it is', () => {
  // It may be one contact of several, and others may have none.
  const rootUsers = [
    { userName: 'Mary' },
    { userName: 'Grace', userEmail: 'Grace@example.com', userPhoneNumber: '+15550100' },
  ]
  const verificationToken = jwt({ contact: 'grace@example.com' })
  const clientSignature = { publicKey: '02', message: 'signs up Grace', signature: '0a' }
  const intent = { subOrganizationName: 'Sub', rootUsers, verificationToken, clientSignature }
  const row = record('CREATE_SUB_ORGANIZATION_V8', intent, made([MARY, GRACE]))
  const erased = intentOf(without(row))
  assert.equal(erased.verificationToken, '[erased]')
  assert.deepEqual(erased.clientSignature, { publicKey: '02', message: '[erased]', signature: '0a' })
  assert.deepEqual(erased.rootUsers[0], rootUsers[0])
  assert.equal(intentOf(without(row, MARY)).verificationToken, verificationToken)
})

test('a record that is about somebody else stays, whatever it says', () => {
  const handles = new Set(['grace@example.com'])
  for (const row of [
    record('UPDATE_USER_EMAIL', { userId: MARY, userEmail: 'grace@example.com' }, null),
    record(
      'CREATE_USERS_V4',
      { users: [{ userEmail: 'grace@example.com' }] },
      { createUsersResult: { userIds: [MARY] } },
    ),
    record('CREATE_USER_TAG', { userTagName: 'Grace', userIds: [GRACE] }, null),
    record('DELETE_USERS', { userIds: [GRACE] }, { deleteUsersResult: { userIds: [GRACE] } }),
    record('CREATE_POLICY_V3', { policyName: 'grace@example.com', notes: GRACE }, null),
    record('SIGN_RAW_PAYLOAD_V2', { signWith: GRACE, payload: 'grace@example.com' }, null),
  ]) {
    const votes = JSON.stringify([{ ...vote(ADMIN), message: row.intent }])
    for (const status of ['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_FAILED'] as const)
      assert.equal(
        withoutPerson({ ...row, votes, status }, { userId: GRACE, handles }, types),
        undefined,
        row.type,
      )
  }
})

test('a request without an id is about whose contact it is, and about nobody without one', () => {
  const row = record(
    'INIT_OTP_V3',
    { otpType: 'OTP_TYPE_EMAIL', contact: 'Grace@Example.com', appName: 'App' },
    null,
  )
  assert.equal(withoutPerson(row, grace(), types), undefined)
  const erased = without(row, GRACE, ['grace@example.com'])
  assert.deepEqual(intentOf(erased), { otpType: 'OTP_TYPE_EMAIL', contact: '[erased]', appName: '[erased]' })
})

test('of a request that is about a contact, the result is, too', () => {
  const verificationToken = jwt({ contact: 'grace@example.com' })
  const row = record('VERIFY_OTP', { otpId: ADMIN }, { verifyOtpResult: { verificationToken } })
  const erased = without(row, GRACE, ['grace@example.com'])
  assert.deepEqual(JSON.parse(erased.said.result ?? ''), {
    verifyOtpResult: { verificationToken: '[erased]' },
  })
})

test('an account elsewhere is an issuer and a subject together', () => {
  assert.deepEqual(handlesIn({ issuer: 'https://issuer.example', subject: 'grace' }), [
    'https://issuer.example grace',
  ])
  assert.deepEqual(handlesIn(jwt({ iss: 'https://issuer.example', sub: 'grace' })), [
    'https://issuer.example grace',
  ])
  for (const half of [{ issuer: 'https://issuer.example' }, { iss: 'https://issuer.example', sub: '' }])
    assert.deepEqual(handlesIn(half), [])
  const spaced = [' {"alg":"ES256"}', '{ "iss":"https://issuer.example","sub":"grace"}', '']
  const token = spaced.map((json) => Buffer.from(json).toString('base64url')).join('.')
  assert.deepEqual(handlesIn(token), ['https://issuer.example grace'], 'however its issuer writes JSON')
})

test('a request is about somebody by one of the contacts in it, also where another is not known of them', () => {
  const oidcToken = jwt({ iss: 'https://issuer.example', sub: 'grace', email: 'grace@example.com' })
  const row = record('OAUTH2_AUTHENTICATE', { authCode: 'x' }, { oauth2AuthenticateResult: { oidcToken } })
  const erased = without(row, GRACE, ['grace@example.com'])
  assert.equal(JSON.parse(erased.said.result ?? '').oauth2AuthenticateResult.oidcToken, '[erased]')
  const silent = record('OAUTH2_AUTHENTICATE', { authCode: 'x' }, null)
  assert.equal(withoutPerson(silent, { userId: GRACE, handles: new Set(['a']) }, types), undefined)
})

test('credentials for which nobody is named are those of who asked for them', () => {
  const row = record('CREATE_API_KEYS', { apiKeys: [{ apiKeyName: 'Laptop', publicKey: '02' }] }, null)
  const erased = without({ ...row, votes: JSON.stringify([vote(GRACE)]) })
  assert.deepEqual(intentOf(erased), { apiKeys: [{ apiKeyName: '[erased]', publicKey: '02' }] })
  assert.equal(withoutPerson(row, grace(), types), undefined, 'another has asked')
})

test('an id that is empty names nobody, so that the contact counts', () => {
  const oidcToken = jwt({ iss: 'https://issuer.example', sub: 'grace' })
  const row = record('OAUTH_LOGIN', { oidcToken, userId: '' }, null)
  assert.equal(intentOf(without(row, GRACE, ['https://issuer.example grace'])).oidcToken, '[erased]')
})

test('a login is about whom its session is for', () => {
  const session = jwt({ user_id: GRACE })
  const oidcToken = jwt({ iss: 'https://issuer.example', sub: 'grace' })
  const row = record('OAUTH_LOGIN', { oidcToken, publicKey: '02' }, { oauthLoginResult: { session } })
  assert.equal(withoutPerson(row, { ...grace(), userId: MARY }, types), undefined)
  const erased = without(row)
  assert.deepEqual(intentOf(erased), { oidcToken: '[erased]', publicKey: '02' })
  assert.equal(JSON.parse(erased.said.result ?? '').oauthLoginResult.session, session)
  assert.deepEqual(handlesSaidOf(row, GRACE, types), ['https://issuer.example grace'])
})

test('what a user is reached by is said by the snapshot in a vote of their own, and by no other', () => {
  const votes = [GRACE, MARY].map((userId) => ({
    ...vote(userId),
    user: { userId, userEmail: `${userId}@example.com` },
  }))
  const row = record('SIGN_RAW_PAYLOAD_V2', { payload: '0a' }, null)
  const said = handlesSaidOf({ ...row, votes: JSON.stringify(votes) }, GRACE, types)
  assert.deepEqual(said, [`${GRACE}@example.com`])
})

test('the beginning of a refused request that was too long goes where it names the user', () => {
  const beginning = (type: string, message: string): ActivityRow => ({
    ...record(type, {}, null),
    status: 'ACTIVITY_STATUS_FAILED',
    votes: JSON.stringify([{ ...vote(ADMIN), message }]),
  })
  assert.equal(withoutPerson(beginning('UPDATE_USER', `{"userId":"${MARY}"`), grace(), types), undefined)
  assert.equal(
    withoutPerson(beginning('SIGN_RAW_PAYLOAD_V2', `{"signWith":"${GRACE}"`), grace(), types),
    undefined,
  )
  for (const row of [
    beginning('UPDATE_USER', `{"userId":"${GRACE}","userName":"Gra`),
    beginning('CREATE_USERS_V4', '{"users":[{"userEmail":"Grace@example.com"'),
    beginning('CREATE_USERS_V4', '{"users":[{"userEmail":"grace@example.com'),
    beginning('VERIFY_WALLET_AUTHENTICATOR', '{"message":"with your account:\\ngrace@example.com\\n'),
  ])
    assert.equal(JSON.parse(without(row, GRACE, ['grace@example.com']).said.votes)[0].message, '')
  // Of a request that was carried out or has waited, the whole is stored.
  const whole = beginning('CREATE_READ_ONLY_SESSION', `{"of":"${GRACE}"`)
  for (const settled of [
    { ...whole, status: 'ACTIVITY_STATUS_COMPLETED' },
    { ...whole, awaited: 1 },
  ] as const)
    assert.equal(withoutPerson(settled, grace(), types), undefined)
  // A contact that is a part of somebody else's erases nothing of theirs.
  for (const longer of ['grace@example.com.au', 'mary-grace@example.com'])
    assert.equal(
      withoutPerson(
        beginning('CREATE_USERS_V4', `{"users":[{"userEmail":"${longer}"`),
        { userId: GRACE, handles: new Set(['grace@example.com']) },
        types,
      ),
      undefined,
      longer,
    )
})

test('a refusal that repeats what it refuses repeats it no more, and the digests tell that it did', () => {
  const row = record('UPDATE_USER_NAME', { userId: GRACE, userName: 'Grace "M."' }, null)
  const message = `there is a user named ${JSON.stringify('Grace "M."')} already`
  const failure = JSON.stringify({ code: 3, message, details: [{ a: 1 }] })
  const erased = without({ ...row, failure })
  assert.deepEqual(JSON.parse(erased.said.failure ?? ''), { code: 3, message: '[erased]', details: [] })
  assert.deepEqual(
    erased.parts.filter(({ part }) => part === 'failure'),
    [{ part: 'failure', text: failure }],
  )
  const both = record(
    'UPDATE_USER',
    { userId: GRACE, userName: 'Grace', userEmail: 'grace@example.com' },
    null,
  )
  const quoted = JSON.stringify({ code: 3, message: 'grace@example.com is taken', details: [] })
  assert.equal(JSON.parse(without({ ...both, failure: quoted }).said.failure ?? '').message, '[erased]')
  const other = JSON.stringify({ code: 7, message: 'not allowed', details: [] })
  const kept = without({ ...row, failure: other })
  assert.equal(kept.said.failure, other)
  assert.ok(kept.parts.every(({ part }) => part !== 'failure'))
})

/** A refusal that quotes what the request says of her only in part, or within a token or a message. */
const IN_PART: { readonly [what: string]: readonly [intent: object, type: string, message: string] } = {
  'a claim of a token': [
    { userId: GRACE, oauthProviders: [{ oidcToken: jwt({ iss: 'https://a.example', sub: 'grace-4711' }) }] },
    'CREATE_OAUTH_PROVIDERS_V2',
    'oauth provider must be unique: subject "grace-4711" belongs to a user of this organization already',
  ],
  'the contact of a verification token': [
    { userId: GRACE, verificationToken: jwt({ contact: 'Grace@Example.com' }) },
    'UPDATE_USER_EMAIL',
    'invalid verification token: no root user has the contact "Grace@Example.com" that it is about',
  ],
  'the beginning of a long address': [
    { userId: GRACE, userEmail: `grace.${'m'.repeat(60)}@${'long.'.repeat(10)}example.com` },
    'UPDATE_USER_EMAIL',
    `unable to find one user with contact "grace.${'m'.repeat(60)}@lon…`,
  ],
  'the address in a message to sign in': [
    { message: 'app.example wants you to sign in:\n0xAbCdEf0123\n\nNonce: 1' },
    'VERIFY_WALLET_AUTHENTICATOR',
    'invalid wallet signature: it is not one that 0xabcdef0123 made over this message',
  ],
}

for (const [what, [intent, type, message]] of Object.entries(IN_PART))
  test(`a refusal that repeats ${what} repeats it no more`, () => {
    const failure = JSON.stringify({ code: 3, message, details: [] })
    const erased = without({ ...record(type, intent, null), failure }, GRACE, ['0xabcdef0123'])
    assert.equal(JSON.parse(erased.said.failure ?? '').message, '[erased]')
  })

test('of her own vote stays what proves it, and of the votes of others all', () => {
  const passkey = { credentialId: 'c', authenticatorData: 'a', clientDataJson: 'd', signature: 's' }
  const hers = {
    ...vote(GRACE),
    user: {
      userId: GRACE,
      userName: 'Grace',
      apiKeys: [{ apiKeyName: 'Laptop', credential: { publicKey: '02' } }],
    },
    signature: JSON.stringify(passkey),
  }
  const row = record('SIGN_RAW_PAYLOAD_V2', { payload: '0a' }, null)
  const erased = without({ ...row, votes: JSON.stringify([vote(ADMIN), hers]) })
  const [admins, kept] = JSON.parse(erased.said.votes)
  assert.deepEqual(admins, vote(ADMIN))
  assert.equal(kept.message, hers.message, 'what she asked for is the evidence')
  assert.deepEqual(JSON.parse(kept.signature), { ...passkey, credentialId: '[erased]' })
  assert.deepEqual(kept.user, {
    userId: GRACE,
    userName: '[erased]',
    apiKeys: [{ apiKeyName: '[erased]', credential: { publicKey: '02' } }],
  })
})

/** Fields of requests that say who somebody is. */
const PERSONAL_FIELDS = [
  'apiKeyName',
  'attestation',
  'authenticatorName',
  'contact',
  'credentialId',
  'email',
  'oidcClaims',
  'oidcToken',
  'receiverUserEmail',
  'receiverUserName',
  'userEmail',
  'userName',
  'userPhoneNumber',
  'username',
  'verificationToken',
  'walletAuthenticators',
]

test('each activity that says who somebody is declares whose data these are', () => {
  const silent = activities.filter(({ personal }) => personal === undefined)
  const found = silent.flatMap(({ operation, forms }) =>
    forms.flatMap(({ intent, result }) => {
      const schemas = JSON.stringify([intent.schema, result.schema])
      return PERSONAL_FIELDS.filter((name) => schemas.includes(`"${name}":`)).map(
        (name) => `${operation} ${name}`,
      )
    }),
  )
  assert.deepEqual([...new Set(found)], [])
  assert.ok(silent.length < activities.length - 20)
})

function grace() {
  return { userId: GRACE, handles: new Set<string>() }
}

function without(row: ActivityRow, userId = GRACE, handles: readonly string[] = []) {
  const erased = withoutPerson(row, { userId, handles: new Set(handles) }, types)
  assert.ok(erased !== undefined, `${row.type} says something`)
  return erased
}

function intentOf({ said }: ReturnType<typeof without>): JsonAnswer {
  return JSON.parse(said.intent)
}

function made(rootUserIds: readonly string[]) {
  return { createSubOrganizationResult: { subOrganizationId: ADMIN, rootUserIds } }
}

function jwt(claims: object): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  return `${part({ alg: 'ES256' })}.${part(claims)}.c2ln`
}

function vote(userId: string) {
  return {
    id: userId,
    userId,
    user: { userId, userName: 'Somebody' },
    message: `of ${userId}`,
    publicKey: '02',
    signature: '0a',
  }
}

function record(type: string, intent: object, result: object | null): ActivityRow {
  return {
    organizationId: ADMIN,
    activityId: ADMIN,
    fingerprint: 'sha256:00',
    timestampMs: 1,
    type: `ACTIVITY_TYPE_${type}`,
    status: 'ACTIVITY_STATUS_COMPLETED',
    awaited: 0,
    revision: 1,
    createdAt: 1,
    updatedAt: 1,
    intent: JSON.stringify(intent),
    result: result === null ? null : JSON.stringify(result),
    failure: null,
    votes: JSON.stringify([vote(ADMIN)]),
    evaluations: '[]',
    voters: '[]',
    seal: '',
  }
}
