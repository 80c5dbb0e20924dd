import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKnown } from './with-known.ts'

test('what is known stands in the requests of queries and in the parameters of activities, and in no answer', () => {
  const { paths, components } = JSON.parse(withKnown({ userId: 'known' }))
  const known = { type: 'string', const: 'known' }
  const { content } = paths['/public/v1/query/get_user'].post.requestBody
  assert.deepEqual(content['application/json'].schema.properties.userId, known)
  const { parameters } = components.schemas.UpdateUserRequest.properties
  assert.deepEqual(parameters.properties?.userId, known)
  // Records show the parameters of other requests too.
  assert.notDeepEqual(components.schemas.updateUserIntent.properties.userId, known)
})
