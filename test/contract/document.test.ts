import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { isObject } from '../../src/trusted/base/plain.ts'
import type { JsonSchema } from '../../src/trusted/catalogue/shape.ts'
import { ACTIVITY_STATUSES } from '../../src/trusted/catalogue/unit.ts'
import { authProxyEndpoints } from '../../src/host/auth-proxy/endpoints.ts'
import { STREAM_PATH } from '../../src/host/http/changes/stream-routes.ts'
import { interfaceRoutes } from '../../src/host/http/routes.ts'
import { serviceRoutes } from '../../src/host/http/service-routes.ts'
import { openHost } from '../../src/host/pipeline/open-host.ts'
import { queries } from '../../src/host/queries/list.ts'
import { quietHost } from '../support/quiet.ts'
import { aService } from '../support/service.ts'
import { answerOf, assertDocumented, documented, requestOf } from './documented.ts'
import { resolved, schemaProblems } from './schema-problems.ts'

const { schemas } = documented.components
const ready = { kind: 'ok', body: '' } as const

const posts = Object.entries(documented.paths).flatMap(([path, { post }]) =>
  // What a stream answers is no JSON.
  post === undefined || path === STREAM_PATH ? [] : [{ path, ...post }],
)
/** Those of the auth proxy are read by pages of browsers, and have no organization in them. */
const operations = posts.filter(({ path }) => path.startsWith('/public/'))

/** Every schema of the document, with the place where it stands. */
const everySchema = [
  ...Object.entries(schemas).flatMap(([name, schema]) => withParts(schema, name)),
  ...posts.flatMap((operation) => [
    ...withParts(requestOf(operation), `${operation.operationId} request`),
    ...withParts(present(answerOf(operation, 200), 'an answer'), `${operation.operationId} answer`),
  ]),
]

test('every operation has its path, and every path an operation of its own name', () => {
  const ids = operations.map(({ operationId }) => operationId)
  assert.deepEqual(new Set(ids), new Set([...activities, ...queries].map(({ operation }) => operation)))
  assert.equal(new Set(ids).size, ids.length)
})

test('every reference of the document resolves, and nothing is named that nothing refers to', () => {
  const named = everySchema.flatMap(({ schema }) => ('$ref' in schema ? [schema['$ref']] : []))
  for (const reference of named) assert.ok(resolved(schemas, reference))
  const unused = Object.keys(schemas).filter((name) => !named.includes(`#/components/schemas/${name}`))
  // What is refused refers to it.
  assert.deepEqual(unused, ['Error'])
})

test('every list says what it is a list of, every object what it holds, and every constant its type', () => {
  for (const { at, schema } of everySchema) {
    if (schema['type'] === 'array') assert.ok(isObject(schema['items']), at)
    if ('const' in schema) assert.equal(schema['type'], 'string', at)
    // Generators of clients merge the parts of `allOf` badly, or not at all.
    assert.ok(!('allOf' in schema), at)
  }
  const open = everySchema.filter(
    ({ schema }) => schema['type'] === 'object' && !('additionalProperties' in schema),
  )
  // What an explanation says depends on the policy, and the parameters on the type.
  for (const { at } of open) assert.match(at, /^(Judgement\.explanations|try_activity request\.parameters)/)
})

test('bodies of several versions are told apart by their type, each of which has one', () => {
  const versioned = everySchema.filter(({ schema }) => 'oneOf' in schema)
  assert.ok(versioned.length > 20)
  for (const { at, schema } of versioned) {
    const { oneOf, discriminator } = schema
    assert.ok(Array.isArray(oneOf) && isObject(discriminator) && isObject(discriminator['mapping']), at)
    assert.equal(discriminator['propertyName'], 'type')
    const references = Object.entries(discriminator['mapping'])
    assert.deepEqual(
      references.map(([, $ref]) => ({ $ref })),
      oneOf,
      at,
    )
    for (const [type, reference] of references) {
      const { properties } = resolved(schemas, reference)
      assert.ok(isObject(properties) && isObject(properties['type']), at)
      assert.equal(properties['type']['const'], type, at)
    }
  }
})

test('every request names an organization by an id that is not empty', () => {
  for (const operation of operations)
    for (const request of versionsOf(requestOf(operation))) {
      const { properties, required } = request
      assert.ok(isObject(properties) && Array.isArray(required), operation.operationId)
      assert.ok(required.includes('organizationId'), operation.operationId)
      assert.ok(schemaProblems(schemas, properties['organizationId'] as JsonSchema, '', 'it').length > 0)
    }
})

test('a record of an activity has every status that there is, and every intent and result', () => {
  assert.deepEqual(schemas['ActivityStatus']?.['enum'], ACTIVITY_STATUSES)
  const forms = activities.flatMap((activity) => activity.forms)
  for (const { intentKey, resultKey } of forms) {
    assert.ok(propertiesOf('Intent')[intentKey], intentKey)
    assert.ok(propertiesOf('Result')[resultKey], resultKey)
  }
})

test('every path that the service answers is documented, but for those of operators and of development', async (t) => {
  const service = await aService()
  t.after(service.close)
  const host = openHost({ ...quietHost, ...service, activities })
  const routes = [
    ...(await serviceRoutes(host, { metricsText: async () => '', readiness: async () => ready })).keys(),
    ...Object.keys(authProxyEndpoints).map((name) => `POST /v1/${name}`),
    ...interfaceRoutes(host, { activities, queries }).keys(),
    `POST ${STREAM_PATH}`,
  ]
  const paths = Object.entries(documented.paths).map(([path, { get }]) => `${get ? 'GET' : 'POST'} ${path}`)
  assert.deepEqual(paths.toSorted(), routes.filter((route) => route !== 'GET /').toSorted())
})

test('an answer that is not as documented is noticed, whatever is wrong with it', async (t) => {
  const service = await aService()
  t.after(service.close)
  const path = '/public/v1/submit/create_user_tag'
  const { json } = await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Signers',
    userIds: [],
  })
  assertDocumented(path, { status: 200, json })
  const { activity } = json
  const { timestampMs: _, ...untimed } = activity
  const wrong: readonly object[] = [
    {},
    untimed,
    { ...activity, more: 1 },
    { ...activity, id: 'x' },
    { ...activity, status: 'ACTIVITY_STATUS_CREATED' },
    { ...activity, type: 'ACTIVITY_TYPE_CREATE_USERS' },
    { ...activity, fingerprint: 'sha256:' },
    { ...activity, canApprove: 'false' },
    { ...activity, votes: {} },
    { ...activity, votes: [{ ...activity.votes[0], user: null }] },
    { ...activity, intent: {} },
    { ...activity, intent: { createUserTagIntent: { userTagName: 'Signers' } } },
    { ...activity, intent: { ...activity.intent, createUsersIntent: { users: [] } } },
    { ...activity, result: { createUserTagResult: activity.result.createUserTagResult } },
    { ...activity, createdAt: '2026-11-21T00:00:00.000Z' },
    { ...activity, appProofs: [{}] },
  ]
  for (const item of wrong)
    assert.throws(
      () => assertDocumented(path, { status: 200, json: { activity: item } }),
      JSON.stringify(item),
    )
  assert.throws(() => assertDocumented(path, { status: 204, json }), /answers 204, which is not documented/)
  assert.throws(() => assertDocumented(path, { status: 400, json: { code: 3, message: 'x' } }))
})

/** The schema and every schema that stands in it, without those that it refers to. */
function withParts(
  schema: JsonSchema,
  at: string,
): readonly { readonly at: string; readonly schema: JsonSchema }[] {
  const { properties, items, anyOf, oneOf } = schema
  const parts: readonly (readonly [string, unknown])[] = [
    ...(isObject(properties)
      ? Object.entries(properties).map(([name, one]) => [`${at}.${name}`, one] as const)
      : []),
    ...(items === undefined ? [] : [[`${at}[]`, items] as const]),
    ...[anyOf, oneOf].flatMap((choices) =>
      Array.isArray(choices) ? choices.map((choice) => [`${at} or`, choice] as const) : [],
    ),
  ]
  return [
    { at, schema },
    ...parts.flatMap(([path, one]) => {
      assert.ok(isObject(one), `${path} is a schema`)
      return withParts(one, path)
    }),
  ]
}

function versionsOf(request: JsonSchema): readonly JsonSchema[] {
  if ('$ref' in request) return [resolved(schemas, request['$ref'])]
  const { oneOf } = request
  return Array.isArray(oneOf) ? oneOf.flatMap(versionsOf) : [request]
}

function propertiesOf(name: string): JsonSchema {
  const { properties } = present(schemas[name], name)
  assert.ok(isObject(properties))
  return properties
}
