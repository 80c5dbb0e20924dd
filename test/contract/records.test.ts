import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../support/service.ts'
import { contract, type ContractFields } from './facts.ts'

test('the record of an activity has what the published clients read, and what the specification shows', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { status, json } = await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Signers',
    userIds: [],
  })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['activity'])
  const { activity } = json
  const published = contract.activity

  // The envelope's timestamp stands beside what the table has.
  assert.deepEqual(missing(published, activity), [])
  assert.deepEqual(surplus(published, activity), ['timestampMs'])
  assert.match(activity.createdAt.seconds, /^\d+$/)
  assert.match(activity.createdAt.nanos, /^\d+$/)
  assert.deepEqual(Object.keys(activity.intent), ['createUserTagIntent'])
  assert.deepEqual(Object.keys(activity.result), ['createUserTagResult', 'activity'])

  const vote = contract.types['Vote'] ?? {}
  assert.equal(activity.votes.length, 1)
  assert.deepEqual(missing(vote, activity.votes[0]), [])
  assert.deepEqual(surplus(vote, activity.votes[0]), [])
  const user = contract.types['User'] ?? {}
  assert.deepEqual(missing(user, activity.votes[0].user), [])
  assert.deepEqual(surplus(user, activity.votes[0].user), [])

  const specified = activity.result.activity
  assert.match(specified.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  assert.deepEqual(Object.keys(specified.intent), ['createUserTagIntent'])
  assert.deepEqual(Object.keys(specified.result), ['createUserTagResult'])
  for (const name of ['id', 'organizationId', 'status', 'type', 'intent', 'votes', 'fingerprint'])
    assert.deepEqual(specified[name], activity[name], name)
})

function missing(fields: ContractFields, value: object): readonly string[] {
  return Object.entries(fields)
    .filter(([name, { required }]) => required && !Object.hasOwn(value, name))
    .map(([name]) => name)
}

function surplus(fields: ContractFields, value: object): readonly string[] {
  return Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
}
