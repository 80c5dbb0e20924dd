import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import { type Ground, openGrounds } from './ground.ts'
import { quorumOfTwo } from './quorum-of-two.ts'
import { hasEffect } from './recording-store.ts'
import { anotherUser } from './things.ts'

const groundFor = await openGrounds()

// A vote is no request of its own: whether it counts is decided with the activity that it is about.
for (const activity of activities.filter(({ vote }) => vote === undefined)) {
  const { operation } = activity

  test(`${operation}: denied, it leaves the record of the refusal and no effect`, async () => {
    const ground = await groundFor(activity)
    const { service, commits, type, parameters } = ground
    const stranger = await anotherUser(ground, 'Stranger')
    if (isForOneself(activity)) await denyAll(ground)
    const before = commits.length

    const refused = await service.submit(stranger, type, parameters)

    assert.equal(refused.status, 403, refused.text)
    assert.equal(refused.json.code, 7)
    assert.equal(refused.json.activity, undefined)
    assert.equal(commits.length, before + 1)
    const unit = present(commits.at(-1), 'the record of the refusal')
    assert.ok(!hasEffect(unit))
    assert.equal(unit.activity?.row.status, 'ACTIVITY_STATUS_FAILED')
    assert.equal(unit.activity?.row.result, null)
    assert.deepEqual(JSON.parse(unit.activity?.row.failure ?? '').code, 7)

    // The same bytes are refused again, from the record.
    const again = await service.submit(stranger, type, parameters)
    assert.deepEqual(again, refused)
    assert.equal(commits.length, before + 1)
  })

  // What everyone may do for themselves waits for nobody.
  if (isForOneself(activity)) continue

  test(`${operation}: waiting, it has no effect until the last approval, and exactly one after it`, async () => {
    const ground = await groundFor(activity)
    const { service, commits, by, type, parameters } = ground
    const second = await quorumOfTwo(ground)
    const before = commits.length
    const timestampMs = service.world.now()
    const post = () => service.submit(by, type, parameters, { timestampMs })

    const asked = await post()
    assert.equal(asked.status, 200, asked.text)
    assert.equal(asked.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', asked.text)
    assert.deepEqual(Object.keys(asked.json.activity.result), ['activity'])
    assert.deepEqual(commits.slice(before).map(hasEffect), [false])
    assert.deepEqual(await post(), asked)
    assert.equal(commits.length, before + 1, 'the same person does not count twice')

    const { fingerprint } = asked.json.activity
    service.world.advance(1)
    const approvals = await Promise.all(
      [1, 2].map((ahead) =>
        service.submit(
          second,
          'ACTIVITY_TYPE_APPROVE_ACTIVITY',
          { fingerprint },
          {
            timestampMs: service.world.now() + ahead,
          },
        ),
      ),
    )

    for (const { status, json, text } of approvals) {
      // A vote that comes after an organization has been deleted finds none.
      if (operation === 'delete_sub_organization' && status === 404) continue
      assert.equal(status, 200, text)
      assert.equal(json.activity.id, asked.json.activity.id)
      assert.equal(json.activity.status, 'ACTIVITY_STATUS_COMPLETED', text)
    }
    assert.equal(commits.length, before + 2, 'one approval settles it, and another changes nothing')
    const settled = present(commits.at(-1), 'the settling unit')
    assert.equal(settled.activity?.replaces, 1)
    assert.notEqual(settled.activity?.row.result, null)
    const late = await post()
    assert.equal(late.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.equal(commits.length, before + 2)
  })

  test(`${operation}: the second person posts the same bytes, and that is the approval`, async () => {
    const ground = await groundFor(activity)
    const { service, commits, by, type, parameters } = ground
    const second = await quorumOfTwo(ground)
    const before = commits.length

    const first = await service.submit(by, type, parameters)
    const other = await service.submit(second, type, parameters)

    assert.equal(other.status, 200, other.text)
    assert.equal(other.json.activity.id, first.json.activity.id)
    assert.equal(other.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.equal(commits.length, before + 2)
  })

  test(`${operation}: rejected, it never has an effect`, async () => {
    const ground = await groundFor(activity)
    const { service, commits, by, type, parameters } = ground
    const second = await quorumOfTwo(ground)
    const before = commits.length
    const asked = await service.submit(by, type, parameters)
    const { fingerprint } = asked.json.activity
    service.world.advance(1)

    const rejected = await service.submit(second, 'ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint })

    assert.equal(rejected.json.activity.status, 'ACTIVITY_STATUS_REJECTED', rejected.text)
    const late = await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.notEqual(late.json.activity?.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.deepEqual(commits.slice(before).filter(hasEffect), [])
  })
}

/** Whether it is a thing that everyone may do, and only for themselves. */
function isForOneself({ authority, example }: Activity): boolean {
  return authority.kind === 'ownCredentials' && authority.owner(example.intent) === undefined
}

async function denyAll({ service, by }: Ground): Promise<void> {
  const policy = { policyName: 'Nothing', effect: 'EFFECT_DENY', notes: '' }
  await service.done(by, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  service.world.advance(1)
}
