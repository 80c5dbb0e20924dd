import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { aService, type Member } from '../../../test/support/service.ts'
import { stampWith } from '../../../test/support/stamper.ts'

const service = await aService()
const { root, organizationId } = service
after(() => service.close())

const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
  privateKeys: [{ privateKeyName: 'K', curve: 'CURVE_SECP256K1', addressFormats: [], privateKeyTags: [] }],
})
const signWith = privateKeys[0].privateKeyId
const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const inCamelCase = {
  signWith,
  payload: 'aa'.repeat(32),
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
}
const inSnakeCase = {
  sign_with: signWith,
  payload: inCamelCase.payload,
  encoding: inCamelCase.encoding,
  hash_function: inCamelCase.hashFunction,
}
const unset = { externalSignerPubkey: null, external_signer: '', other: [] }

test('every spelling of a request is judged alike and leaves the same record, but for the fingerprint of its bytes', async () => {
  const ada = await service.user('Ada')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Only what is hashed already',
    effect: 'EFFECT_ALLOW',
    condition: `activity.type == '${type}' && activity.params.hash_function == 'HASH_FUNCTION_NO_OP'`,
  })
  for (const parameters of [
    inCamelCase,
    inSnakeCase,
    { ...inCamelCase, ...unset },
    { ...inSnakeCase, ...unset },
  ]) {
    for (const spelled of ['organizationId', 'organization_id']) {
      const timestampMs = spelled === 'organizationId' ? 'timestampMs' : 'timestamp_ms'
      const body = JSON.stringify({
        type,
        [timestampMs]: String(service.world.now()),
        [spelled]: organizationId,
        parameters,
        generate_app_proofs: null,
      })
      service.world.advance(1)
      const { status, json, text } = await stamped(ada, 'submit/sign_raw_payload', body)
      assert.equal(status, 200, text)
      assert.equal(json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
      assert.deepEqual(json.activity.intent, { signRawPayloadIntentV2: inCamelCase })
      assert.equal(json.activity.fingerprint, `sha256:${createHash('sha256').update(body).digest('hex')}`)
      assert.deepEqual(
        (await stamped(ada, 'submit/sign_raw_payload', body)).json.activity.id,
        json.activity.id,
      )
      const other = body.replace('NO_OP', 'SHA256')
      assert.equal(
        (await stamped(ada, 'submit/sign_raw_payload', other)).status,
        403,
        'the policy sees through it',
      )
    }
  }
})

test('a query is the same query in every spelling', async () => {
  const usual = await stamped(
    root,
    'query/list_activities',
    asked({ organizationId, paginationOptions: { limit: '2' } }),
  )
  assert.equal(usual.json.activities.length, 2)
  for (const body of [
    { organization_id: organizationId, pagination_options: { limit: '2', before: '', after: null } },
    {
      organizationId,
      filterByStatus: [],
      filter_by_type: null,
      paginationOptions: { limit: '2', not_known: [] },
    },
  ])
    assert.deepEqual((await stamped(root, 'query/list_activities', asked(body))).json, usual.json)
})

test('no two organizations can be named, one for each reader', async () => {
  const other = await service.newOrganization()
  const before = await activitiesOf(other)
  for (const by of [root, other]) {
    for (const names of [
      ['organizationId', 'organization_id'],
      ['organization_id', 'organizationId'],
    ] as const) {
      const named = { [names[0]]: organizationId, [names[1]]: other.organizationId }
      const request = { type, timestampMs: String(service.world.now()), ...named, parameters: inCamelCase }
      const submitted = await stamped(by, 'submit/sign_raw_payload', asked(request))
      const queried = await stamped(by, 'query/whoami', asked(named))
      for (const { status, json } of [submitted, queried]) {
        assert.equal(status, 400)
        assert.match(json.message, /`organizationId` is given twice/)
      }
    }
  }
  const twice = `{"organizationId":"${organizationId}","organizationId":"${other.organizationId}"}`
  assert.match((await stamped(root, 'query/whoami', twice)).json.message, /for the second time/)
  assert.deepEqual(await activitiesOf(other), before)
})

test('the flag for proofs may stand among the parameters too, as a published client repeats it there', async () => {
  for (const flag of [
    { generateAppProofs: true },
    { generate_app_proofs: false },
    { generateAppProofs: null },
  ]) {
    const { json, text } = await service.submit(root, type, { ...inCamelCase, ...flag })
    assert.deepEqual(json.activity?.intent, { signRawPayloadIntentV2: inCamelCase }, text)
  }
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ generateAppProofs: 'yes' }, /field `generateAppProofs` must be true or false, not "yes"/],
    [{ generateAppProofs: true, generate_app_proofs: true }, /`generateAppProofs` is given twice/],
  ]
  for (const [flag, message] of refused)
    assert.match((await service.submit(root, type, { ...inCamelCase, ...flag })).json.message, message)
})

test('what is not known and has a value is refused, as ever', async () => {
  const { json } = await service.submit(root, type, { ...inCamelCase, externalSignerPubkey: '02aa' })
  assert.equal(
    json.message,
    'invalid request body: field `externalSignerPubkey` is not a field of this request',
  )
})

test('an API key without a curve is on P-256, and a policy without notes has empty ones', async () => {
  const key = { apiKeyName: 'Second', publicKey: service.newKey().publicKey }
  const made = await service.submit(root, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
    userId: root.userId,
    apiKeys: [key],
  })
  assert.equal(made.json.activity.intent.createApiKeysIntentV2.apiKeys[0].curveType, 'API_KEY_CURVE_P256')
  for (const without of [{}, { notes: null }, { notes: '' }]) {
    const policyName = `Without notes ${JSON.stringify(without)}`
    const asksFor = { policyName, effect: 'EFFECT_DENY', condition: 'false' }
    const { json } = await service.submit(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', { ...asksFor, ...without })
    assert.deepEqual(json.activity.intent.createPolicyIntentV3, { ...asksFor, notes: '' })
    const { policyId } = json.activity.result.createPolicyResult
    const { json: shown } = await service.query(root, 'get_policy', { policyId })
    assert.equal(shown.policy.notes, '')
  }
})

test('an empty value is refused where none at all would give more than was meant', async () => {
  const apiKey = { apiKeyName: 'Third', publicKey: service.newKey().publicKey, expirationSeconds: '' }
  const policy = { policyName: 'Half written', effect: 'EFFECT_ALLOW' }
  const session = { targetPublicKey: '04', userId: '' }
  const list = { enabled: true, rules: [{ cidr: '0.0.0.0/0' }], publicKey: '' }
  for (const [wide, parameters, reason] of [
    ['ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: root.userId, apiKeys: [apiKey] }, /api key expiration/],
    ['ACTIVITY_TYPE_CREATE_POLICY_V3', { ...policy, condition: '' }, /invalid policy condition/],
    ['ACTIVITY_TYPE_CREATE_POLICY_V3', { ...policy, consensus: '' }, /invalid policy consensus/],
    ['ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', session, /`userId` must be a UUID/],
    ['ACTIVITY_TYPE_SET_IP_ALLOWLIST', list, /`publicKey`/],
    ['ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST', { publicKey: '' }, /`publicKey`/],
  ] as const) {
    const { status, json } = await service.submit(root, wide, parameters)
    assert.equal(status, 400)
    assert.match(json.message, reason)
  }
})

function asked(body: object): string {
  return JSON.stringify(body)
}

async function stamped(by: Member, path: string, body: string) {
  const { stampHeaderName, stampHeaderValue } = stampWith(by.key, body)
  return await service.post(`/public/v1/${path}`, body, { [stampHeaderName]: stampHeaderValue })
}

async function activitiesOf(member: Member): Promise<unknown> {
  return (await service.query(member, 'list_activities')).json.activities
}
