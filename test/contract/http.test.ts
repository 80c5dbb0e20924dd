import assert from 'node:assert/strict'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { after, before, test } from 'node:test'
import { stampWith } from '../support/stamper.ts'
import { aService, type Response, type TestService } from '../support/service.ts'

const SUBMIT = '/public/v1/submit/create_user_tag'
const QUERY = '/public/v1/query/whoami'

let service: TestService
before(async () => {
  service = await aService()
})
after(async () => {
  await service.close()
})

test('another method than POST is not allowed, and the answer says which is', async () => {
  for (const path of [SUBMIT, QUERY])
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(`${service.baseUrl}${path}`, { method })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.get('allow'), 'POST, OPTIONS')
      assertErrorBody(await answer.json(), 12, `method ${method} is not allowed at ${path}; send POST`)
    }
})

test('another path finds no operation, however near it comes', async () => {
  for (const path of [
    '/',
    '/public/v1/submit',
    `${SUBMIT}/`,
    SUBMIT.toUpperCase(),
    `/${SUBMIT}`,
    '/public/v2/submit/create_user_tag',
    '/public/v1/query/create_user_tag',
    '/public/v1/submit/whoami',
    '/public/v1/submit/__proto__',
    '/public/v1/submit/constructor',
    '/public/v1/submit/%63reate_user_tag',
  ]) {
    const { status, json } = await service.post(path, '{}', {})
    assert.equal(status, 404, path)
    assertErrorBody(json, 5, /^no such operation: POST /)
  }
})

test('an address that a client was given with a slash at its end is said to be the reason', async () => {
  const { status, json } = await service.post(`/${SUBMIT}`, '{}', {})
  assert.equal(status, 404)
  const reason = 'the path begins with two slashes: give the client the address without a slash at its end'
  assertErrorBody(json, 5, `no such operation: POST /${SUBMIT}: ${reason}`)
})

test('a path is quoted only so far', async () => {
  const { json } = await service.post(`/${'x'.repeat(5_000)}`, '{}', {})
  assert.ok(json.message.length < 300)
})

test('a compressed body is refused, and the identity encoding is none', async () => {
  const text = tagBody()
  for (const encoding of ['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip']) {
    const { status, json } = await service.post(SUBMIT, gzipSync(text), {
      ...stampOf(text),
      'content-encoding': encoding,
    })
    assert.equal(status, 400)
    assertErrorBody(json, 3, /^bad request body: content encoding ".*" is not accepted/)
  }
  // The names of encodings are without case (RFC 9110, section 8.4.1).
  for (const encoding of ['identity', 'Identity']) {
    const plain = await service.post(SUBMIT, text, { ...stampOf(text), 'content-encoding': encoding })
    assert.equal(plain.status, 200)
  }
})

test('a request with two Host headers is refused, also where they are the same', async () => {
  const { port } = new URL(service.baseUrl)
  const text = tagBody()
  for (const second of ['elsewhere.example', `127.0.0.1:${port}`]) {
    const status = await new Promise((resolve, reject) => {
      const setHost = { setHost: false, headers: ['host', `127.0.0.1:${port}`, 'host', second] }
      const options = { port, host: '127.0.0.1', method: 'POST', path: SUBMIT, ...setHost }
      request(options, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end(text)
    })
    assert.equal(status, 400)
  }
})

test('a body beyond the limit is refused before the whole of it has been read', async () => {
  const { status, json } = await service.post(SUBMIT, Buffer.alloc(1024 * 1024 + 1, 0x20), {})
  assert.equal(status, 400)
  assertErrorBody(json, 3, /^bad request body: it has more than 1048576 bytes$/)
  const { port } = new URL(service.baseUrl)
  const whileSending = await new Promise<number | undefined>((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: SUBMIT }, (answer) => {
      resolve(answer.statusCode)
      sending.destroy()
    })
    sending.on('error', reject)
    // Never ended: the answer comes while more could still be sent.
    sending.write(Buffer.alloc(1024 * 1024 + 1, 0x20))
  })
  assert.equal(whileSending, 400)
})

const unreadable: readonly { readonly what: string; readonly body: string | Uint8Array }[] = [
  { what: 'an empty body', body: '' },
  { what: 'only space', body: ' \n' },
  { what: 'text that is no JSON', body: 'type=ACTIVITY' },
  { what: 'a cut off object', body: '{"type":"ACTIVITY_TYPE_CREATE_USER_TAG"' },
  { what: 'something behind the object', body: '{} {}' },
  { what: 'a list', body: '[]' },
  { what: 'null', body: 'null' },
  { what: 'invalid UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
  { what: 'overlong UTF-8', body: Buffer.from([0x7b, 0x22, 0xc0, 0xae, 0x22, 0x3a, 0x31, 0x7d]) },
  { what: 'a byte order mark', body: '\ufeff{}' },
  { what: 'UTF-16', body: Buffer.from('{}', 'utf16le') },
  { what: 'a key given twice', body: '{"organizationId":"a","organizationId":"b"}' },
  { what: 'a key given twice under an escape', body: '{"a":1,"\\u0061":2}' },
  { what: 'the key __proto__', body: '{"__proto__":{"type":"x"}}' },
  { what: 'the key __proto__ further in', body: '{"parameters":{"x":[{"__proto__":null}]}}' },
  { what: 'a surrogate without its other half', body: '{"a":"\\ud800"}' },
  { what: 'a surrogate without its other half as a key', body: '{"\\udc00":1}' },
  { what: 'nesting without end', body: '['.repeat(100_000) },
  { what: 'nesting beyond the limit', body: `{"a":${'['.repeat(40)}${']'.repeat(40)}}` },
  { what: 'an integer that is not held exactly', body: '{"a":9007199254740993}' },
  { what: 'a number without end', body: '{"a":1e999}' },
  { what: 'a comment', body: '{/* */}' },
  { what: 'a comma too many', body: '{"a":1,}' },
]

test('a body that could be read two ways, or not at all, is refused whatever it is stamped with', async () => {
  for (const path of [SUBMIT, QUERY])
    for (const { what, body } of unreadable) {
      const { status, json } = await service.post(path, body, stampOf(body))
      assert.equal(status, 400, what)
      assertErrorBody(json, 3, /^bad request body: /)
    }
})

test('a body of the wrong shape is refused by the name of its field', async () => {
  const good = JSON.parse(tagBody())
  const wrong: readonly (readonly [object, string])[] = [
    [{ ...good, type: 7 }, 'type'],
    [{ ...good, timestampMs: Date.UTC(2026, 10, 21) }, 'timestampMs'],
    [{ ...good, timestampMs: '1e3' }, 'timestampMs'],
    [{ ...good, timestampMs: '-1' }, 'timestampMs'],
    [{ ...good, timestampMs: ' 1' }, 'timestampMs'],
    [{ ...good, timestampMs: '9'.repeat(16) }, 'timestampMs'],
    [{ ...good, organizationId: { $ne: null } }, 'organizationId'],
    [{ ...good, parameters: [] }, 'parameters'],
    [{ ...good, parameters: 'x' }, 'parameters'],
    [{ ...good, more: 1 }, 'more'],
    [{ ...good, generateAppProofs: 'yes' }, 'generateAppProofs'],
    [{ ...good, parameters: { ...good.parameters, constructor: 1 } }, 'constructor'],
    [{ ...good, parameters: { ...good.parameters, toString: 1 } }, 'toString'],
  ]
  for (const [body, field] of wrong) {
    const { status, json } = await stamped(SUBMIT, JSON.stringify(body))
    assert.equal(status, 400, field)
    assert.match(json.message, new RegExp(`^invalid request body: .*\`${field}\``), field)
    assert.equal(json.details[0].fieldViolations[0].field, field)
  }
  for (const name of ['type', 'timestampMs', 'organizationId', 'parameters']) {
    const { [name]: _, ...rest } = good
    const { json } = await stamped(SUBMIT, JSON.stringify(rest))
    assert.equal(json.message, `invalid request body: missing field \`${name}\``)
  }
})

test('an activity that is submitted to the path of another is refused', async () => {
  const { status, json } = await stamped('/public/v1/submit/create_users', tagBody())
  assert.equal(status, 400)
  assertErrorBody(
    json,
    3,
    'invalid request: activity type ACTIVITY_TYPE_CREATE_USER_TAG does not belong to operation create_users',
  )
  const unknown = await stamped(SUBMIT, tagBody({ type: 'ACTIVITY_TYPE_CREATE_UNIVERSE' }))
  assert.equal(unknown.status, 400)
  assertErrorBody(
    unknown.json,
    3,
    /^invalid request: activity type "ACTIVITY_TYPE_CREATE_UNIVERSE" is not known$/,
  )
})

test('an organization id that is none is told apart from one that nobody has, and each from nothing else', async () => {
  for (const organizationId of [
    '',
    'x',
    service.organizationId.toUpperCase(),
    `${service.organizationId} `,
  ]) {
    const { status, json } = await stamped(SUBMIT, tagBody({ organizationId }))
    assert.equal(status, 400)
    assert.match(json.message, /^malformed organization ID provided/)
  }
  const organizationId = '0198c5a0-7d3c-7000-8000-00000000dead'
  const { status, json } = await stamped(SUBMIT, tagBody({ organizationId }))
  assert.equal(status, 404)
  assert.equal(json.code, 5)
  assert.equal(json.message, `no organization found with the given ID: ${organizationId}`)
})

test('any content type will do, and none', async () => {
  for (const type of ['application/json', 'text/plain;charset=UTF-8', 'application/octet-stream', '']) {
    const text = tagBody()
    const headers = type === '' ? {} : { 'content-type': type }
    assert.equal((await service.post(SUBMIT, text, { ...stampOf(text), ...headers })).status, 200)
  }
})

test('answers and errors are exactly application/json, and not to be kept', async () => {
  const text = tagBody()
  for (const headers of [stampOf(text), {}]) {
    const answer = await fetch(`${service.baseUrl}${SUBMIT}`, { method: 'POST', body: text, headers })
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('x-powered-by'), null)
    await answer.text()
  }
})

test('a page of any origin may call, with the headers that published clients send', async () => {
  const answer = await fetch(`${service.baseUrl}${SUBMIT}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-client-version,x-stamp',
    },
  })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('access-control-allow-credentials'), null)
  assert.match(answer.headers.get('access-control-allow-methods') ?? '', /POST/)
  const allowed = (answer.headers.get('access-control-allow-headers') ?? '').split(/, */)
  for (const name of ['content-type', 'x-stamp', 'x-stamp-webauthn', 'x-client-version'])
    assert.ok(allowed.includes(name), name)
})

test('a stamp that is missing, doubled or none at all is refused', async () => {
  const text = tagBody()
  const [[name, value] = ['', '']] = Object.entries(stampOf(text))
  const bad: readonly (readonly [string, Record<string, string>])[] = [
    ['no stamp', {}],
    ['an empty stamp', { [name]: '' }],
    ['no base64url', { [name]: '§§§' }],
    ['no JSON', { [name]: Buffer.from('x').toString('base64url') }],
    ['the stamp twice', { [name]: `${value},${value}` }],
    ['both kinds of stamp', { [name]: value, 'X-Stamp-WebAuthn': '{}' }],
    ['the stamp of other bytes', stampOf(tagBody())],
  ]
  for (const [what, headers] of bad) {
    const { status, json } = await service.post(SUBMIT, text, headers)
    assert.ok([400, 401].includes(status), `${what}: ${status}`)
    assertErrorBody(json, status === 401 ? 16 : 3, /./)
  }
})

test('what another organization has looks like what nobody has', async () => {
  const { root, organizationId } = service
  const theirs = await aStranger()
  const nowhere = '0198c5a0-7d3c-7000-8000-00000000beef'
  const pairs: readonly (readonly [string, string, string])[] = [
    ['get_user', 'userId', theirs.userId],
    ['get_private_key', 'privateKeyId', theirs.privateKeyId],
    ['get_policy', 'policyId', theirs.policyId],
    ['get_activity', 'activityId', theirs.activityId],
    ['get_policy_evaluations', 'activityId', theirs.activityId],
    ['get_api_key', 'apiKeyId', theirs.apiKeyId],
    ['get_api_keys', 'userId', theirs.userId],
    ['get_authenticators', 'userId', theirs.userId],
    ['get_oauth_providers', 'userId', theirs.userId],
    ['get_authenticator', 'authenticatorId', theirs.userId],
  ]
  for (const [operation, field, id] of pairs) {
    const [one, other] = await Promise.all(
      [id, nowhere].map((value) => service.query(root, operation, { organizationId, [field]: value })),
    )
    assertSame(one, other, id, nowhere, operation)
  }
  // Nor does a stranger's stamp tell which organizations there are, beyond that an id is in use.
  const { status, json } = await service.query(theirs.member, 'list_users', { organizationId })
  assert.equal(status, 401)
  assert.equal(json.code, 16)
})

function assertSame(
  item: Response | undefined,
  other: Response | undefined,
  id: string,
  nowhere: string,
  what: string,
): void {
  assert.equal(item?.status, other?.status, what)
  assert.equal(item?.text.replaceAll(id, nowhere), other?.text, what)
}

function assertErrorBody(body: unknown, code: number, message: string | RegExp): void {
  assert.ok(typeof body === 'object' && body !== null)
  const { code: actual, message: text, details, ...more } = body as Record<string, unknown> // just looked at
  assert.equal(actual, code)
  assert.ok(typeof text === 'string')
  if (typeof message === 'string') assert.equal(text, message)
  else assert.match(text, message)
  assert.ok(Array.isArray(details))
  assert.ok(Object.keys(more).every((name) => name === 'turnkeyErrorCode'))
}

let tags = 0
function tagBody(more: object = {}): string {
  return JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: String(service.world.now()),
    organizationId: service.organizationId,
    parameters: { userTagName: `Tag ${tags++}`, userIds: [] },
    ...more,
  })
}

function stampOf(body: string | Uint8Array): Record<string, string> {
  const { stampHeaderName, stampHeaderValue } = stampWith(service.root.key, Buffer.from(body))
  return { [stampHeaderName]: stampHeaderValue }
}

function stamped(path: string, text: string): Promise<Response> {
  return service.post(path, text, stampOf(text))
}

/** A sub-organization beside the first organization, and the ids of what it has. */
async function aStranger() {
  const { root, newKey, done, query } = service
  const key = newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const rootUsers = [{ userName: 'Stranger', apiKeys, authenticators: [], oauthProviders: [] }]
  const made = await done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
    subOrganizationName: 'Strangers',
    rootUsers,
    rootQuorumThreshold: 1,
  })
  const [userId] = made.rootUserIds
  const member = { organizationId: made.subOrganizationId, userId, key }
  const { policyId } = await done(member, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Theirs',
    effect: 'EFFECT_ALLOW',
    notes: '',
  })
  const keys = await done(member, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Theirs', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  const { activities } = (await query(member, 'list_activities')).json
  const { user } = (await query(member, 'get_user', { userId })).json
  return {
    member,
    userId,
    policyId,
    privateKeyId: keys.privateKeys[0].privateKeyId,
    activityId: activities[0].id,
    apiKeyId: user.apiKeys[0].apiKeyId,
  }
}
