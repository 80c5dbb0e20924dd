import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import type { Response } from '../support/service.ts'
import { openGrounds } from './ground.ts'

const groundFor = await openGrounds()

for (const activity of activities) {
  const { operation } = activity

  test(`${operation}: the same bytes twice have one effect and one answer`, async () => {
    const { service, commits, by, type, parameters } = await groundFor(activity)
    const before = commits.length

    const first = await service.submit(by, type, parameters)
    const second = await service.submit(by, type, parameters)

    assert.equal(first.status, 200, first.text)
    assertOneAnswer(activity, [first, second], await service.submit(by, type, parameters))
    assert.equal(commits.length, before + 1)
  })

  test(`${operation}: the same bytes many times at once have one effect and one answer`, async () => {
    const { service, commits, by, type, parameters } = await groundFor(activity)
    const before = commits.length

    const answers = await Promise.all([1, 2, 3, 4].map(() => service.submit(by, type, parameters)))

    assert.equal(answers[0]?.status, 200, answers[0]?.text)
    assertOneAnswer(activity, answers, await service.submit(by, type, parameters))
    assert.equal(commits.length, before + 1)
  })

  test(`${operation}: the same request of another instant is another request`, async () => {
    const { service, by, type, parameters } = await groundFor(activity)
    const first = await service.submit(by, type, parameters)
    service.world.advance(1)
    const second = await service.submit(by, type, parameters)
    const isVote = activity.vote !== undefined
    if (second.status === 200)
      assert.equal(second.json.activity.id === first.json.activity.id, isVote, second.text)
  })
}

/** A bearer text is in one answer only; every other answer is what the record keeps. */
function assertOneAnswer(activity: Activity, answers: readonly Response[], kept: Response): void {
  const whole = answers.filter(({ text }) => text !== kept.text)
  if (activity.withoutBearer === undefined) assert.equal(whole[0], undefined)
  else assert.ok(whole.length <= 1)
  for (const { status, json } of whole) {
    assert.equal(status, 200)
    assert.equal(json.activity.id, kept.json.activity.id)
  }
}
