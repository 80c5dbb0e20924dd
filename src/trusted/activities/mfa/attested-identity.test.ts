import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { aServiceWithIssuer } from '../../../../test/support/service-with-issuer.ts'
import { aSessionKey, CREATE_PROVIDERS } from '../oauth/testing/oauth.ts'
import {
  API_KEY,
  byIdentity,
  byKey,
  COMPLETED,
  CONSENSUS,
  mfaSetting,
  NEEDED,
  OAUTH,
  overOtherBytes,
  statusOf,
  twoRoots,
} from './testing/setting.ts'

/** The root user has an account at the issuer. */
async function setting(t: TestContext) {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const { root } = service
  const { userId } = root
  const registered = async (subject: string): Promise<string> => {
    const oauthProviders = [{ providerName: subject, oidcToken: await issuer.token({ subject }) }]
    return (await service.done(root, CREATE_PROVIDERS, { userId, oauthProviders })).providerIds[0]
  }
  const providerId = await registered('ada')
  return {
    ...mfaSetting(service),
    issuer,
    questions,
    registered,
    providerId,
    /** The stamp of a user for whose key the issuer vouches. */
    vouched: async (subject = 'ada') => {
      const { key, nonce } = aSessionKey(service)
      return byIdentity(await issuer.token({ subject, nonce }), key)
    },
  }
}

test('an account elsewhere is a step of its own, shown by a stamp with its token', async (t) => {
  const { root, propose, approve, policy, statuses, vouched, apiKeyIdOf, tags, ...rest } = await setting(t)
  const { userId } = root
  await policy(userId, [[API_KEY], [OAUTH]])
  const { status, fingerprint, id } = await propose(byKey(root.key), 'Vouched')
  assert.equal(status, NEEDED)
  const asked = rest.questions.length
  const approved = await approve(await vouched(), fingerprint)
  assert.equal(statusOf(approved), COMPLETED)
  assert.ok(rest.questions.length > asked, 'the issuer was asked for its keys')
  const [, vote] = approved.json.activity.votes
  assert.equal(vote.userId, userId)
  assert.equal(vote.scheme, 'SIGNATURE_SCHEME_TK_ATTESTED_P256')
  assert.deepEqual(await tags(), ['Vouched'])
  const [found] = await statuses(id)
  assert.equal(found.satisfied, true)
  assert.deepEqual(found.satisfiedMethods, [
    { ...API_KEY, id: await apiKeyIdOf(userId) },
    { ...OAUTH, id: rest.providerId },
  ])
})

test('a step that names an account takes that one and no other', async (t) => {
  const { root, propose, approve, policy, registered, vouched } = await setting(t)
  const id = await registered('ada at work')
  await policy(root.userId, [[API_KEY], [{ ...OAUTH, id }]])
  const { fingerprint } = await propose(byKey(root.key))
  assert.equal(statusOf(await approve(await vouched(), fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(await vouched('ada at work'), fingerprint)), COMPLETED)
})

test('an approval by an account elsewhere counts like any other of its user, once', async (t) => {
  const { service, root, propose, approve, vouched } = await setting(t)
  const stamps = [await vouched(), await vouched()] as const
  const second = await twoRoots(service)
  const first = await propose(byKey(root.key))
  assert.equal(first.status, CONSENSUS)
  assert.equal(statusOf(await approve(stamps[0], first.fingerprint)), CONSENSUS)
  const other = await propose(byKey(second.key))
  assert.equal(statusOf(await approve(stamps[1], other.fingerprint)), COMPLETED)
})

test('a vote by an account elsewhere counts, when it is looked at again, for as long as its user has the account', async (t) => {
  const { service, root, propose, approve, registered, vouched } = await setting(t)
  const { userId } = root
  const [second, third] = [await service.user('Second'), await service.user('Third')]
  const providerId = await registered('ada at work')
  const users = [userId, second.userId, third.userId]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Second keeps the accounts',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'DELETE_OAUTH_PROVIDERS'",
    notes: '',
  })
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 3, userIds: users })
  for (const [subject, expected] of [
    ['ada', COMPLETED],
    ['ada at work', CONSENSUS],
  ] as const) {
    const { fingerprint } = await propose(byKey(second.key))
    assert.equal(statusOf(await approve(await vouched(subject), fingerprint)), CONSENSUS)
    if (expected === CONSENSUS)
      await service.done(second, 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', {
        userId,
        providerIds: [providerId],
      })
    assert.equal(statusOf(await approve(byKey(third.key), fingerprint)), expected)
  }
})

test('a token for another key or another request, of an account of nobody, changed or expired approves nothing', async (t) => {
  const { service, issuer, root, propose, approve, policy, vouched } = await setting(t)
  await policy(root.userId, [[API_KEY], [OAUTH]])
  const { fingerprint } = await propose(byKey(root.key))
  const { key, nonce } = aSessionKey(service)
  const token = await issuer.token({ subject: 'ada', nonce })
  const exp = Math.floor(service.world.now() / 1000) - 3_600
  const expired = await issuer.sign({ iss: issuer.issuer, aud: 'web', sub: 'ada', nonce, exp, iat: exp - 60 })
  const [header, , signature] = token.split('.')
  const claims = { iss: issuer.issuer, aud: 'web', sub: 'ada', nonce, exp: exp + 7_200 }
  const changed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
  for (const [stamper, status] of [
    [byIdentity(token, service.newKey()), 401],
    [overOtherBytes(byIdentity(token, key)), 401],
    [await vouched('stranger'), 401],
    [byIdentity(changed, key), 400],
    [byIdentity(expired, key), 400],
  ] as const) {
    const refused = await approve(stamper, fingerprint)
    assert.equal(refused.status, status, refused.text)
  }
  assert.equal(statusOf(await approve(byIdentity(token, key), fingerprint)), COMPLETED)
})
