import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authProxyEndpoints } from '../../src/host/auth-proxy/endpoints.ts'
import { readExamples } from '../../src/host/cli/derived/examples.ts'
import { queries } from '../../src/host/queries/list.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { documented } from '../contract/documented.ts'
import { schemaProblems } from '../contract/schema-problems.ts'
import { root } from '../house/sources.ts'
import { takenExamples } from './taken-examples.ts'

const { schemas, responses } = documented.components
/** What everything else answers is JSON, and nothing beside it. */
const NOT_JSON: Readonly<Record<string, string>> = {
  stream_activities: 'text/event-stream',
  metrics: 'text/plain',
}
const operations = Object.values(documented.paths).flatMap(({ post, get }) => post ?? get ?? [])

test('the examples of the reference are what the service answers', async () => {
  const taken = await takenExamples()
  const kept = readExamples(root)
  assert.ok(JSON.stringify(taken) === JSON.stringify(kept), 'run `npm run derive` and review the difference')
})

test('every operation and every endpoint of the auth proxy has an example', () => {
  const { operations, authProxy } = readExamples(root)
  assert.deepEqual(
    Object.keys(operations),
    [...activities, ...queries].map(({ operation }) => operation),
  )
  assert.deepEqual(Object.keys(authProxy).toSorted(), Object.keys(authProxyEndpoints).toSorted())
})

test('every example of a request and of an answer has the documented shape', () => {
  for (const { operationId, requestBody, responses: answers } of operations) {
    const { content } = answers['200']
    assert.deepEqual(Object.keys(content), [NOT_JSON[operationId] ?? 'application/json'], operationId)
    const [answer] = Object.values(content)
    for (const part of [requestBody?.content['application/json'], answer])
      if (part?.example !== undefined)
        assert.deepEqual(schemaProblems(schemas, part.schema, part.example, operationId), [])
    if (requestBody !== undefined) {
      assert.ok(requestBody.content['application/json'].example, operationId)
      assert.ok(answer?.example, operationId)
    }
  }
})

test('every documented refusal has an example of the documented shape', () => {
  for (const [name, { content }] of Object.entries(responses)) {
    const { schema, example } = content['application/json']
    assert.ok(example, name)
    assert.deepEqual(schemaProblems(schemas, schema, example, name), [])
  }
})
