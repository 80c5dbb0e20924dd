import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import { Pace } from '../../base/work.ts'
import { aService, type JsonAnswer, type TestService } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'

const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'
const APPROVE = 'ACTIVITY_TYPE_APPROVE_ACTIVITY'

async function setting(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  return { service, root, second: await service.user('Second') }
}

async function agree(service: TestService, userIds: readonly string[]): Promise<void> {
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
}

/** The webhook of a revision, as it would be sent a while later. */
async function signed(
  { store, vault, world, organizationId }: TestService,
  activityId: string,
  revision: number,
) {
  const row = present(await store.activity(organizationId, activityId), 'the record')
  const timestampMs = world.now() + 3_600_000
  const eventId = `${activityId}-${revision}`
  return { eventId, timestampMs, ...(await vault.signWebhook({ row, revision, eventId, timestampMs })) }
}

/** Without what is told to the caller alone, at both places where it stands. */
function withoutRights(activity: JsonAnswer): JsonAnswer {
  const { canApprove: _, canReject: __, result, ...rest } = activity
  const { activity: inner, ...results } = result
  const { canApprove: ___, canReject: ____, ...innerRest } = inner
  return { ...rest, result: { ...results, activity: innerRest } }
}

function rightsOf({ canApprove, canReject, result }: JsonAnswer) {
  const { activity } = result
  return [canApprove, canReject, activity.canApprove, activity.canReject]
}

test('each revision is told as it was answered then, however far the activity has gone on', async (t) => {
  const { service, root, second } = await setting(t)
  const third = await service.user('Third')
  const userIds = [root.userId, second.userId, third.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 3, userIds })
  const answers: JsonAnswer[] = []
  const first = await service.submit(root, TAG, { userTagName: 'Agreed', userIds: [] })
  answers.push(first.json.activity)
  for (const by of [second, third]) {
    service.world.advance(1234)
    const { fingerprint } = first.json.activity
    answers.push((await service.submit(by, APPROVE, { fingerprint })).json.activity)
  }
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['CONSENSUS_NEEDED', 'CONSENSUS_NEEDED', 'COMPLETED'].map((status) => `ACTIVITY_STATUS_${status}`),
  )
  for (const [index, answer] of answers.entries()) {
    const { body } = await signed(service, answer.id, index + 1)
    assert.deepEqual(withoutRights(JSON.parse(body)), withoutRights(answer))
    assert.deepEqual(rightsOf(JSON.parse(body)), [false, false, false, false])
  }
})

test('what waited for another proof, and what was rejected, is told as it was', async (t) => {
  const { service, root, second } = await setting(t)
  await agree(service, [root.userId, second.userId])
  const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
  const challenge = Buffer.from('a challenge of our own').toString('base64url')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
    userId: root.userId,
    authenticators: [
      {
        authenticatorName: 'Passkey',
        challenge,
        attestation: passkey.register(challenge, 'http://localhost'),
      },
    ],
  })
  const policy = await service.submit(root, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId: root.userId,
    mfaPolicyName: 'Passkey too',
    condition: "activity.kind == 'CREATE_USER_TAG'",
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    order: 0,
  })
  await service.submit(second, APPROVE, { fingerprint: policy.json.activity.fingerprint })

  service.world.advance(1)
  const proposed = await service.submit(root, TAG, { userTagName: 'Proven', userIds: [] })
  const { fingerprint, organizationId, id } = proposed.json.activity
  const body = JSON.stringify({
    type: APPROVE,
    timestampMs: String(service.world.now()),
    organizationId,
    parameters: { fingerprint },
  })
  const { stampHeaderName, stampHeaderValue } = passkey.assert(body, 'http://localhost')
  const proven = await service.post('/public/v1/submit/approve_activity', body, {
    [stampHeaderName]: stampHeaderValue,
  })
  const rejected = await service.submit(second, 'ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint })
  const answers = [proposed, proven, rejected].map(({ json }) => json.activity)
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['AUTHENTICATORS_NEEDED', 'CONSENSUS_NEEDED', 'REJECTED'].map((status) => `ACTIVITY_STATUS_${status}`),
  )
  for (const [index, answer] of answers.entries()) {
    const webhook = await signed(service, id, index + 1)
    assert.deepEqual(withoutRights(JSON.parse(webhook.body)), withoutRights(answer))
  }
})

test('a failure after approval is told with the last revision alone', async (t) => {
  const { service, root, second } = await setting(t)
  await agree(service, [root.userId, second.userId])
  const propose = async (by: typeof root) => {
    service.world.advance(1)
    return (await service.submit(by, TAG, { userTagName: 'Twice', userIds: [] })).json.activity
  }
  const [one, other] = [await propose(root), await propose(root)]
  await service.submit(second, APPROVE, { fingerprint: one.fingerprint })
  const failed = await service.submit(second, APPROVE, { fingerprint: other.fingerprint })
  assert.equal(failed.json.activity.status, 'ACTIVITY_STATUS_FAILED')
  const before = JSON.parse((await signed(service, other.id, 1)).body)
  assert.deepEqual(withoutRights(before), withoutRights(other))
  assert.equal(before.failure, undefined)
  const after = JSON.parse((await signed(service, other.id, 2)).body)
  assert.deepEqual(after.failure, failed.json.activity.failure)
})

test('the published function verifies the signature, and refuses it for anything else', async (t) => {
  const { service, root } = await setting(t)
  const { json } = await service.submit(root, TAG, { userTagName: 'Signed ✓', userIds: [] })
  const { body, keyId, signature, timestampMs, eventId } = await signed(service, json.activity.id, 1)
  const { webhook: publicKey } = await service.vault.serviceKeys()
  const verified = (changes: { readonly body?: string; readonly eventId?: string; readonly age?: number }) =>
    verifyTurnkeyWebhookSignature({
      headers: {
        'X-Turnkey-Timestamp': String(timestampMs),
        'X-Turnkey-Event-Id': changes.eventId ?? eventId,
        'X-Turnkey-Signature-Key-Id': keyId,
        'X-Turnkey-Signature-Algorithm': 'ed25519',
        'X-Turnkey-Signature-Version': 'v1',
        'X-Turnkey-Signature': signature,
      },
      body: changes.body ?? body,
      verificationKeys: [{ keyId, publicKey }],
      maxTimestampAgeMs: 300_000,
      nowMs: timestampMs + (changes.age ?? 0),
    }).ok
  assert.equal(verified({}), true)
  assert.equal(verified({ body: body.replace('COMPLETED', 'REJECTED') }), false)
  assert.equal(verified({ eventId: '0198c5a0-7d3c-7000-8000-00000000000a' }), false)
  assert.equal(verified({ age: 300_001 }), false)
})

test('nothing is signed that the vault did not record, nor a revision that has not been', async (t) => {
  const { service, root } = await setting(t)
  const { json } = await service.submit(root, TAG, { userTagName: 'Recorded', userIds: [] })
  const row = present(await service.store.activity(root.organizationId, json.activity.id), 'the record')
  const given = { row, revision: 1, eventId: `${row.activityId}-1`, timestampMs: 1 }
  await service.vault.signWebhook(given)
  for (const forged of [
    { ...given, row: { ...row, status: 'ACTIVITY_STATUS_REJECTED' as const } },
    { ...given, row: { ...row, result: '{}' } },
    { ...given, revision: 2 },
    { ...given, revision: 0 },
    // A receiver knows a repeat by this id, and the body follows it after a point.
    { ...given, eventId: `${row.activityId}-2` },
    { ...given, eventId: `${given.eventId}.{"status":"ACTIVITY_STATUS_REJECTED"}` },
  ])
    await assert.rejects(async () => await service.vault.signWebhook(forged))
})

test('the webhooks of one record to many endpoints take the turns of its tenant, and others go between', async (t) => {
  const added: { readonly flow: string; readonly units: number }[] = []
  class Noted extends Pace {
    override add(flow: string, units: number): void {
      added.push({ flow, units })
      super.add(flow, units)
    }
  }
  const pace = new Noted(async () => {})
  const service = await aService({ pace })
  t.after(service.close)
  const { root, organizationId } = service
  const tag = { userTagName: 'x'.repeat(60), userIds: Array.from({ length: 100 }, () => root.userId) }
  const { json } = await service.submit(root, TAG, tag)
  const [waits, from] = [pace.waits, added.length]

  await Promise.all(Array.from({ length: 100 }, () => signed(service, json.activity.id, 1)))

  const ofIt = added.slice(from)
  assert.equal(ofIt.length, 100)
  const characters = JSON.stringify(tag).length
  for (const { flow, units } of ofIt) {
    assert.equal(flow, organizationId)
    assert.ok(units > costs.row + characters * costs.webhookCharacter, `${units}`)
  }
  assert.ok(pace.waits > waits, 'each that has to wait for a turn does')
})
