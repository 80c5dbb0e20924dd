import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aService, type Member, type TestService } from '../../../test/support/service.ts'

/**
 * The rows of the table of published decisions (semantics, section 3.9) that concern what is built, through the whole
 * service: R is the root user; A and B carry the tag `ops`, C carries `sec`, D none; K is a key with the tag `hot`.
 */
type Row = {
  readonly row: string
  readonly policies: readonly Terms[]
  readonly by: Name
  readonly ask: Ask
  readonly outcome: 'completed' | 'waits' | 'denied'
  /** What each policy says, in their order. */
  readonly says?: readonly string[]
}

type Name = 'R' | 'A' | 'B' | 'C' | 'D'
type Terms = {
  readonly deny?: true
  readonly condition?: string
  readonly consensus?: string
  readonly time?: string
}
type Ask = { readonly type: string; readonly parameters: (fixture: Fixture) => object }

type Fixture = {
  readonly service: TestService
  readonly members: Readonly<Record<Name, Member>>
  readonly ops: string
  readonly hot: string
  readonly keyId: string
}

const sign = (hashFunction: string, payload: string): Ask => ({
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: ({ keyId }) => ({
    signWith: keyId,
    payload,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction,
  }),
})
const signs = sign('HASH_FUNCTION_SHA256', '00')
const signsDigest = sign('HASH_FUNCTION_NO_OP', '11'.repeat(32))
const createsPolicy: Ask = {
  type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
  parameters: () => ({ policyName: 'New', effect: 'EFFECT_DENY', condition: 'false', notes: '' }),
}
const setsFeature: Ask = {
  type: 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
  parameters: () => ({ name: 'FEATURE_NAME_EMAIL_AUTH' }),
}
const createsApiKeyFor = (name: Name): Ask => ({
  type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
  parameters: ({ service, members }) => ({
    userId: members[name].userId,
    apiKeys: [{ apiKeyName: 'New', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' }],
  }),
})
const deletes = (...names: readonly Name[]): Ask => ({
  type: 'ACTIVITY_TYPE_DELETE_USERS',
  parameters: ({ members }) => ({ userIds: names.map((name) => members[name].userId) }),
})

const SIGN = "activity.action == 'SIGN'"
const maySign: Terms = { condition: SIGN }
const digestsForbidden: Terms = {
  deny: true,
  condition:
    "activity.params.encoding in ['PAYLOAD_ENCODING_HEXADECIMAL','PAYLOAD_ENCODING_TEXT_UTF8'] && activity.params.hash_function == 'HASH_FUNCTION_NO_OP'",
}
const twoOperators: Terms = {
  condition: "activity.resource == 'POLICY'",
  consensus: "approvers.filter(u, u.tags.contains('$ops')).count() > 1",
}
const anyOf = (...names: readonly Name[]) =>
  names.map((name) => `approvers.any(u, u.id == '$${name}')`).join(' && ')

const rows: readonly Row[] = [
  { row: '1', policies: [], by: 'A', ask: signs, outcome: 'denied', says: [] },
  { row: '2', policies: [maySign], by: 'A', ask: signs, outcome: 'completed', says: ['ALLOW'] },
  {
    row: '3, with a key',
    policies: [maySign, { deny: true, condition: "private_key.id == '$key'" }],
    by: 'A',
    ask: signs,
    outcome: 'denied',
    says: ['ALLOW', 'DENY_EXPLICIT'],
  },
  {
    row: '4, with a key',
    policies: [maySign, { deny: true, condition: "private_key.id == '$key'" }],
    by: 'R',
    ask: signs,
    outcome: 'completed',
  },
  {
    row: '8',
    policies: [{ condition: "activity.kind == 'SET_ORGANIZATION_FEATURE'", consensus: anyOf('A') }],
    by: 'A',
    ask: setsFeature,
    outcome: 'denied',
  },
  { row: '10', policies: [], by: 'A', ask: createsApiKeyFor('A'), outcome: 'completed' },
  {
    row: '11',
    policies: [{ deny: true, condition: "activity.resource == 'CREDENTIAL'" }],
    by: 'A',
    ask: createsApiKeyFor('A'),
    outcome: 'denied',
    says: ['DENY_EXPLICIT'],
  },
  { row: '12', policies: [], by: 'A', ask: createsApiKeyFor('B'), outcome: 'denied' },
  {
    row: '13',
    policies: [twoOperators],
    by: 'A',
    ask: createsPolicy,
    outcome: 'waits',
    says: ['REQUIRES_CONSENSUS'],
  },
  {
    row: '13, by someone who does not contribute',
    policies: [twoOperators],
    by: 'C',
    ask: createsPolicy,
    outcome: 'denied',
  },
  {
    row: '16',
    policies: [{ condition: 'true', consensus: anyOf('B') }],
    by: 'A',
    ask: signs,
    outcome: 'denied',
    says: ['DENY_IMPLICIT'],
  },
  {
    row: '17',
    policies: [{ condition: 'true', consensus: anyOf('A', 'B') }],
    by: 'A',
    ask: signs,
    outcome: 'waits',
  },
  {
    row: '18',
    policies: [{ condition: 'true', consensus: "approvers.all(u, u.tags.contains('$ops'))" }],
    by: 'A',
    ask: signs,
    outcome: 'completed',
  },
  {
    row: '19',
    policies: [
      {
        condition: SIGN,
        consensus: "credentials.any(c, c.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR')",
      },
    ],
    by: 'A',
    ask: signs,
    outcome: 'denied',
  },
  {
    row: '25, with what signing and exporting have',
    policies: [{ condition: `private_key.id == '$key' || activity.params.target_public_key == 'x'` }],
    by: 'A',
    ask: signs,
    outcome: 'denied',
    says: ['ERROR'],
  },
  {
    row: '26, with what signing and exporting have',
    policies: [
      { condition: "private_key.id == '$key'" },
      { condition: "activity.params.target_public_key == 'x'" },
    ],
    by: 'A',
    ask: signs,
    outcome: 'completed',
    says: ['ALLOW', 'ERROR'],
  },
  {
    row: '27, with what signing and exporting have',
    policies: [{ condition: 'true' }, { deny: true, condition: "activity.params.target_public_key == 'x'" }],
    by: 'A',
    ask: signs,
    outcome: 'completed',
    says: ['ALLOW', 'ERROR'],
  },
  {
    row: '41',
    policies: [digestsForbidden, maySign],
    by: 'A',
    ask: signsDigest,
    outcome: 'denied',
    says: ['DENY_EXPLICIT', 'ALLOW'],
  },
  {
    row: '41, with a hash',
    policies: [digestsForbidden, maySign],
    by: 'A',
    ask: signs,
    outcome: 'completed',
  },
  {
    row: '55',
    policies: [{ condition: "private_key.tags.contains('$hot') && !private_key.exported" }],
    by: 'A',
    ask: signs,
    outcome: 'completed',
  },
  {
    row: '55, of an exported key',
    policies: [{ condition: "private_key.tags.contains('$hot') && private_key.exported" }],
    by: 'A',
    ask: signs,
    outcome: 'denied',
  },
  ...(['A', 'B'] as const).map((name): Row => {
    const itself = {
      condition: "activity.kind == 'DELETE_USERS' && activity.params.user_ids.all(i, i == '$A')",
      consensus: anyOf('A'),
    }
    return name === 'A'
      ? { row: '61', policies: [itself], by: 'A', ask: deletes('A'), outcome: 'completed' }
      : { row: '61, of two', policies: [itself], by: 'A', ask: deletes('A', 'B'), outcome: 'denied' }
  }),
  {
    row: '62, before its time',
    policies: [{ ...maySign, time: "time.now >= Timestamp('2999-01-01T00:00:00Z')" }],
    by: 'A',
    ask: signs,
    outcome: 'denied',
    says: ['TIME_INACTIVE'],
  },
  {
    row: '62, in its time',
    policies: [{ ...maySign, time: "time.now >= Timestamp('2001-03-01T00:00:00Z')" }],
    by: 'A',
    ask: signs,
    outcome: 'completed',
    says: ['ALLOW'],
  },
  {
    row: '64, with every hour',
    policies: [{ ...maySign, time: "CronSpan('0 * * * *','1h','UTC')" }],
    by: 'A',
    ask: signs,
    outcome: 'completed',
    says: ['ALLOW'],
  },
  {
    row: '65',
    policies: [
      { deny: true, condition: SIGN, time: "time.now < Timestamp('2001-01-01T00:00:00Z')" },
      maySign,
    ],
    by: 'A',
    ask: signs,
    outcome: 'completed',
    says: ['TIME_INACTIVE', 'ALLOW'],
  },
  {
    row: '67',
    policies: [
      {
        condition:
          "1 in [1,2,3] && 'abc'[0..2] == 'ab' && [3,1][0] == 3 && [1,1].all(x, x == 1) && [1,2].filter(x, x > 1).count() == 1",
      },
    ],
    by: 'A',
    ask: signs,
    outcome: 'completed',
  },
  {
    row: '68',
    policies: [{ condition: "activity.params.user_id == '$A'", consensus: anyOf('A') }],
    by: 'A',
    ask: createsPolicy,
    outcome: 'denied',
    says: ['ERROR'],
  },
  {
    row: 'of our own, safer choice: a DENY policy that fails denies',
    policies: [{ condition: 'true' }, { deny: true, condition: "private_key.tags[7] == 'x'" }],
    by: 'A',
    ask: signs,
    outcome: 'denied',
  },
  {
    row: 'of our own, safer choice: an ALLOW policy that fails does not allow',
    policies: [{ condition: "private_key.tags[7] == 'x' || true" }],
    by: 'A',
    ask: signs,
    outcome: 'denied',
    says: ['ERROR'],
  },
]

const statuses = {
  completed: 'ACTIVITY_STATUS_COMPLETED',
  waits: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  denied: 'ACTIVITY_STATUS_FAILED',
}

const services: TestService[] = []
after(async () => {
  for (const service of services) await service.close()
})

for (const { row, policies, by, ask, outcome, says } of rows) {
  test(`decision ${row}: ${outcome}`, async () => {
    const fixture = await aFixture()
    const { service, members } = fixture
    const written = policies.map((terms, at) => policyOf(fixture, terms, at))
    const { policyIds } =
      written.length === 0
        ? { policyIds: [] }
        : await service.done(members.R, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies: written })
    service.world.advance(1)

    const answer = await service.submit(members[by], ask.type, ask.parameters(fixture))

    const listed = await service.query(members.D, 'list_activities', { paginationOptions: { limit: '1' } })
    const [stored] = listed.json.activities
    assert.equal(stored.type, ask.type)
    assert.equal(stored.status, statuses[outcome], JSON.stringify(stored.failure))
    const evaluated = await service.query(members.D, 'get_policy_evaluations', { activityId: stored.id })
    const [{ policyEvaluations }] = evaluated.json.policyEvaluations
    if (outcome === 'denied') checkDenial(answer, stored, policyEvaluations)
    else assert.equal(answer.json.activity.id, stored.id)
    if (says !== undefined)
      assert.deepEqual(
        policyEvaluations,
        says.map((said, at) => ({ policyId: policyIds[at], outcome: `OUTCOME_${said}` })),
      )
  })
}

type Evaluation = { readonly policyId: string; readonly outcome: string }

/** The refusal is told with every policy's outcome, and its record says the same. */
function checkDenial(
  { status, json }: Awaited<ReturnType<TestService['submit']>>,
  stored: { readonly failure: unknown },
  policyEvaluations: readonly Evaluation[],
): void {
  assert.equal(status, 403)
  assert.equal(json.code, 7)
  assert.match(json.message, /^You don't have sufficient permissions to take this action\./)
  const denying = policyEvaluations
    .filter(({ outcome }) => outcome === 'OUTCOME_DENY_EXPLICIT')
    .map(({ policyId }) => policyId)
  const [detail] = json.details
  assert.equal(detail['@type'], 'type.googleapis.com/errors.v1.PolicyEnginePermissionError')
  assert.deepEqual(detail.policyEvaluations, policyEvaluations)
  if (denying.length > 0)
    assert.equal(detail.message, `The following policies denied this action: ${denying.join(', ')}`)
  assert.deepEqual(stored.failure, json)
}

function policyOf({ members, ops, hot, keyId }: Fixture, terms: Terms, at: number) {
  const ids: Readonly<Record<string, string>> = {
    ops,
    hot,
    key: keyId,
    ...Object.fromEntries(Object.entries(members).map(([name, { userId }]) => [name, userId])),
  }
  const filled = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => ids[name] ?? '')
  const { deny, condition, consensus, time } = terms
  return {
    policyName: `Policy ${at}`,
    effect: deny === true ? 'EFFECT_DENY' : 'EFFECT_ALLOW',
    ...(condition === undefined ? {} : { condition: filled(condition) }),
    ...(consensus === undefined ? {} : { consensus: filled(consensus) }),
    ...(time === undefined ? {} : { time }),
    notes: '',
  }
}

async function aFixture(): Promise<Fixture> {
  const service = await aService()
  services.push(service)
  const { root } = service
  const tag = async (userTagName: string): Promise<string> =>
    (await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] })).userTagId
  const [ops, sec] = [await tag('ops'), await tag('sec')]
  const A = await service.user('A', { userTags: [ops] })
  const B = await service.user('B', { userTags: [ops] })
  const C = await service.user('C', { userTags: [sec] })
  const D = await service.user('D')
  const { privateKeyTagId: hot } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', {
    privateKeyTagName: 'hot',
    privateKeyIds: [],
  })
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'K', curve: 'CURVE_SECP256K1', privateKeyTags: [hot], addressFormats: [] },
    ],
  })
  return { service, members: { R: root, A, B, C, D }, ops, hot, keyId: privateKeys[0].privateKeyId }
}
