import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { unsupportedPath } from '../../src/host/http/unsupported-paths.ts'
import { queries } from '../../src/host/queries/list.ts'
import type { JsonSchema } from '../../src/trusted/catalogue/shape.ts'
import { aService } from '../support/service.ts'
import { differences } from './compare.ts'
import { declaredTypes } from './declared-types.ts'
import { exceptions, olderFormsLeftOut } from './exceptions.ts'
import { contract as published, type ContractFields } from './facts.ts'

const submits = published.operations.filter(({ kind }) => kind === 'submit')
const asked = published.operations.filter(({ kind }) => kind === 'query')

const built = [...activities, ...queries].map(({ operation }) => operation)

test('no two operations have one name', () => {
  assert.deepEqual(built, [...new Set(built)])
})

test('every activity has exactly the published versions, oldest first', () => {
  for (const { operation, forms } of activities) {
    const types = submits.find((submit) => submit.operation === operation)?.versions?.map(({ type }) => type)
    const ours = forms.map(({ type }) => type)
    // Some are named by the specification, or used by its readers, and are not in the table.
    if (types === undefined) continue
    assert.deepEqual(
      ours,
      types.filter((type) => !olderFormsLeftOut.includes(type)),
    )
  }
})

test('every type of activity is one of the published types', () => {
  const types = published.enums['ActivityType'] ?? []
  for (const { type } of activities.flatMap(({ forms }) => forms)) assert.ok(types.includes(type), type)
})

test('every version has the published keys, fields, required flags and enum values', () => {
  const found = activities.flatMap(({ operation, forms, vote }) => {
    const { versions = [] } = submits.find((submit) => submit.operation === operation) ?? {}
    return forms.flatMap((form) => {
      const version = versions.find(({ type }) => type === form.type)
      if (version === undefined) return []
      assert.equal(form.intentKey, version.intentKey)
      // A vote is answered with the activity that it is about, so the table has no result of its own for it.
      if (version.resultKey === null) assert.ok(vote !== undefined, operation)
      else assert.equal(form.resultKey, version.resultKey)
      return [
        ...differences(published, 'request', form.intent.schema, version.parameters, form.type),
        ...differences(published, 'answer', form.result.schema, version.result ?? {}, `${form.type} →`),
      ]
    })
  })
  assertOnly(found, 'ACTIVITY_TYPE_')
})

test('every query has the published fields in its request and in its answer', () => {
  const found = queries.flatMap(({ operation, request, response }) => {
    const item = asked.find((candidate) => candidate.operation === operation)
    if (item === undefined) return []
    return [
      ...differences(published, 'request', request.schema, item.request ?? {}, operation),
      ...differences(published, 'answer', response.schema, item.response ?? {}, `${operation} →`),
    ]
  })
  assertOnly(found, 'QUERY')
})

test('every field that the installed client declares is read and answered', () => {
  const declared = declaredTypes()
  const ofForms = activities.flatMap(({ forms }) =>
    forms.flatMap(({ type, intentKey, intent, resultKey, result }) => [
      ...fromDeclared('request', intent.schema, declared.fieldsOf(capitalized(intentKey)), type),
      ...fromDeclared('answer', result.schema, declared.fieldsOf(capitalized(resultKey)), `${type} →`),
    ]),
  )
  const ofQueries = queries.flatMap(({ operation, request, response }) => {
    const known = declared.query(operation)
    return [
      ...fromDeclared('request', request.schema, known?.request, operation),
      ...fromDeclared('answer', response.schema, known?.response, `${operation} →`),
    ]
  })
  // Clients of other languages know some values that this one does not, and they are in the table.
  const lacking = [...ofForms, ...ofQueries].filter((line) => !line.endsWith('ours alone'))
  assert.ok(declared.query('list_velocity_controls') !== undefined, 'the declarations were read')
  assert.deepEqual(
    lacking.filter((line) => !isMeant(line)),
    [],
  )

  function fromDeclared(
    side: 'request' | 'answer',
    ours: JsonSchema,
    fields: ContractFields | undefined,
    at: string,
  ): readonly string[] {
    return fields === undefined ? [] : differences(declared, side, ours, fields, at)
  }
})

test('exactly the queries that no published client knows are said to be additions', () => {
  const additions = queries.filter(({ ours }) => ours === true).map(({ operation }) => operation)
  const unknown = queries
    .map(({ operation }) => operation)
    .filter((operation) => !publishedPaths.includes(`/public/v1/query/${operation}`))
  assert.deepEqual(additions, unknown)
})

test('every path of the newest published clients is built, or is said to be not offered here', async (t) => {
  const service = await aService()
  t.after(service.close)
  const others = publishedPaths.filter((path) => !built.includes(operationOf(path)))
  assert.ok(others.length > 50)
  for (const path of others) {
    const { status, json } = await service.post(path, '{}', {})
    assert.equal(status, 501, path)
    assert.equal(json.code, 12)
    assert.ok(json.message.startsWith(`not offered here: ${operationOf(path)}: `), json.message)
    assert.deepEqual(json.details, [])
  }
})

test('what is built is not said to be left out', () => {
  for (const part of ['submit', 'query'])
    assert.deepEqual(
      built.filter((operation) => unsupportedPath(`/public/v1/${part}/${operation}`) !== undefined),
      [],
    )
})

test('what is not offered is said whatever the method, and of no path beside it', async (t) => {
  const service = await aService()
  t.after(service.close)
  const path = '/public/v1/submit/eth_send_transaction'
  assert.equal((await service.post(path, '{}', {})).status, 501)
  for (const beside of [`${path}/`, path.toUpperCase(), path.replace('submit', 'query'), `${path}_v9`])
    assert.equal((await service.post(beside, '{}', {})).status, 404, beside)
  assert.equal((await fetch(`${service.baseUrl}${path}`)).status, 501)
})

/** The table's, and those that the installed client knows. */
const publishedPaths: readonly string[] = [
  ...new Set([
    ...published.operations.map(({ path }) => path),
    ...(clientText().match(/\/public\/v1\/(?:submit|query)\/[a-z0-9_]+/g) ?? []),
  ]),
]

function clientText(): string {
  const fetcher = './__generated__/services/coordinator/public/v1/public_api.fetcher.mjs'
  return readFileSync(new URL(fetcher, import.meta.resolve('@turnkey/http')), 'utf8')
}

function operationOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The differences are those that are written down with a reason, and each of these is still one. */
function assertOnly(found: readonly string[], of: 'ACTIVITY_TYPE_' | 'QUERY'): void {
  const meant = exceptions.filter((exception) => exception.of === of)
  assert.deepEqual(
    found.filter((line) => !meant.some(({ like }) => like.test(line))),
    [],
  )
  for (const { like, why } of meant)
    assert.ok(
      found.some((line) => like.test(line)),
      `no longer an exception: ${like} (${why})`,
    )
}

function isMeant(line: string): boolean {
  return exceptions.some(({ like }) => like.test(line))
}

function capitalized(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1)
}

test('a field that is missing, demanded or of another type is seen', () => {
  const types = { Address: { format: { type: 'Format', required: true } } }
  const enums = { Format: ['A', 'B'] }
  const fields = { name: { type: 'string', required: true }, many: { type: 'Address[]', required: false } }
  const address = (values: readonly string[]) => ({
    type: 'object',
    properties: { format: { type: 'string', enum: values } },
    required: ['format'],
  })
  const ours = (name: object, item: object, required: readonly string[]) => ({
    type: 'object',
    properties: { name, many: { type: 'array', items: item } },
    required,
  })
  const string = { type: 'string' }
  const seen = (schema: object) => differences({ types, enums }, 'request', { ...schema }, fields, 'x')
  assert.deepEqual(seen(ours(string, address(['A', 'B']), ['name'])), [])
  assert.deepEqual(seen(ours(string, address(['A']), ['name'])), ['x.many[].format: B missing'])
  assert.deepEqual(seen(ours({ type: 'integer' }, address(['A', 'B']), ['name'])), [
    'x.name: string, ours integer',
  ])
  assert.deepEqual(seen(ours(string, address(['A', 'B']), ['name', 'many'])), [
    'x.many: optional, ours required',
  ])
  assert.deepEqual(seen({ type: 'object', properties: { name: string }, required: ['name'] }), [
    'x.many: missing',
  ])
})
