import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { revealed } from '../../src/trusted/base/testing/revealed.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import { openGrounds } from './ground.ts'
import { quorumOfTwo } from './quorum-of-two.ts'

const groundFor = await openGrounds()
const withSecrets = new Set<string>()

for (const activity of activities) {
  const { operation } = activity

  test(`${operation}: whatever secret it was given or has made is wiped when it is decided, and when it is refused`, async () => {
    const { service, secrets, by, type, parameters } = await groundFor(activity)
    const { status, text } = await service.submit(by, type, parameters)
    assert.equal(status, 200, text)
    assertWiped(secrets)
    if (secrets.some(({ length }) => length > 0)) withSecrets.add(operation)

    if (activity.vote !== undefined || operation === 'delete_sub_organization') return
    const stranger = await service.user('Stranger')
    service.world.advance(1)
    await service.submit(stranger, type, parameters)
    assertWiped(secrets)
  })
}

test('the same holds for what a vote completes, and for what is only rehearsed', async () => {
  const signs = activities.find(({ operation }) => operation === 'sign_raw_payload')
  assert.ok(signs)
  const ground = await groundFor(signs)
  const { service, secrets, by, type, parameters } = ground
  secrets.length = 0
  const { status, text } = await service.query(by, 'try_activity', { type, parameters })
  assert.equal(status, 200, text)
  assert.ok(secrets.length > 0, 'it was rehearsed with its key')
  assertWiped(secrets)

  const second = await quorumOfTwo(ground)
  const asked = await service.submit(by, type, parameters)
  assert.equal(asked.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', asked.text)
  secrets.length = 0
  const { fingerprint } = asked.json.activity
  const voted = await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(voted.json.activity.status, 'ACTIVITY_STATUS_COMPLETED', voted.text)
  assert.ok(secrets.length > 0, 'it was carried out with its key')
  assertWiped(secrets)
})

test('there were secrets to wipe', () => {
  for (const operation of ['create_private_keys', 'sign_raw_payload', 'sign_transaction', 'export_wallet'])
    assert.ok(withSecrets.has(operation), operation)
})

test('secrets that an activity makes on its way, such as the words that are exported, are wiped with the others', async (t) => {
  const seen = revealed(t)
  const revealedBy = async (activity: Activity): Promise<ReadonlySet<Uint8Array>> => {
    const { service, by, type, parameters } = await groundFor(activity)
    seen.clear()
    const { status, text } = await service.submit(by, type, parameters)
    assert.equal(status, 200, text)
    return new Set(seen)
  }
  for (const activity of activities.filter(({ operation }) => withSecrets.has(operation))) {
    // The keys of the service itself are the same ones each time, and stay.
    const ofService = await revealedBy(activity)
    const secrets = [...(await revealedBy(activity))].filter((bytes) => !ofService.has(bytes))
    for (const bytes of secrets)
      assert.ok(
        bytes.every((byte) => byte === 0),
        activity.operation,
      )
  }
})

function assertWiped(secrets: readonly Uint8Array[]): void {
  for (const bytes of secrets) assert.ok(bytes.every((byte) => byte === 0))
}
