import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { queries } from '../../src/host/queries/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import type { Form } from '../../src/trusted/catalogue/form.ts'
import { shownRequest } from '../../src/trusted/vault/records/shown-request.ts'
import type { JsonAnswer, Response } from '../support/service.ts'
import { type Ground, openGrounds } from './ground.ts'
import { newestOf } from './newest.ts'
import { fixtures } from './fixtures.ts'

test('a fixture stands beside an activity or a query that there is', () => {
  const operations = [...activities, ...queries].map(({ operation }) => operation)
  assert.deepEqual(
    [...fixtures.keys()].filter((operation) => !operations.includes(operation)),
    [],
  )
})

const groundFor = await openGrounds()

for (const activity of activities) {
  const newest = newestOf(activity)

  test(`${activity.operation}: its example reads as its newest form`, () => {
    const { intent, result } = activity.example
    assert.deepEqual(newest.intent.read(intent, '', 'strict'), intent)
    assert.deepEqual(newest.result.read(result, '', 'strict'), result)
  })

  test(`${activity.operation}: its example completes and its result fits`, async () => {
    const ground = await groundFor(activity)
    await completes(ground, activity, newest, ground.parameters)
  })

  for (const form of activity.forms.slice(0, -1))
    test(`${activity.operation}: ${form.type} completes too, in its own form`, async () => {
      const ground = await groundFor(activity)
      await completes(ground, activity, form, present(ground.older[form.type], `an intent of ${form.type}`))
    })
}

async function completes(
  { service, by, commits }: Ground,
  activity: Activity,
  form: Form,
  parameters: object,
): Promise<void> {
  const before = commits.length
  const { status, json, text }: Response = await service.submit(by, form.type, parameters)
  assert.equal(status, 200, `${text}\n${howToMakeWhatIsMissing(activity)}`)
  assert.equal(commits.length, before + 1, 'one unit is written')
  if (activity.vote !== undefined) return assertVoted(json.activity, activity)
  assert.equal(json.activity.status, 'ACTIVITY_STATUS_COMPLETED', text)
  assert.equal(json.activity.type, form.type)
  // The intent is kept as it was sent, and shown without bearer texts.
  const shown = JSON.parse(shownRequest(JSON.stringify({ [form.intentKey]: parameters })))
  assert.deepEqual(json.activity.intent, shown)
  const { activity: specified, ...result } = json.activity.result
  assert.deepEqual(Object.keys(result), [form.resultKey])
  assert.deepEqual(form.result.read(result[form.resultKey], '', 'strict'), result[form.resultKey])
  assert.deepEqual(specified.result, result)
}

/** A vote is answered with the activity that it is about. */
function assertVoted(about: JsonAnswer, { vote }: Activity): void {
  const isApproval = vote?.selection === 'VOTE_SELECTION_APPROVED'
  assert.equal(about.status, isApproval ? 'ACTIVITY_STATUS_COMPLETED' : 'ACTIVITY_STATUS_REJECTED')
  assert.equal(about.votes.length, 2)
  assert.equal(about.votes[1].selection, vote?.selection)
}

function howToMakeWhatIsMissing({ operation }: Activity): string {
  const file = `testing/${operation.replaceAll('_', '-')}.fixture.ts`
  return fixtures.has(operation)
    ? `The request is as ${file} makes it.`
    : `The request is the example with the ids of things that were made for it; if it needs more, ${file} beside the activity makes it.`
}
