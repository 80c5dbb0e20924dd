import assert from 'node:assert/strict'
import type { JsonAnswer, Member, Response } from '../support/service.ts'
import { createAuthenticator, type SoftwareAuthenticator } from '../support/software-authenticator.ts'
import { createsPolicy, signsPayload } from './asks.ts'
import { allow, anyOf, checked, decided, SIGN, type Terms, written } from './decision.ts'
import type { Organization } from './organization.ts'
import { shown } from './row.ts'

/** Rows 13 to 21: who has to agree, and with what they stamp. */
export const rowsOfConsensus = [
  decided(13, 'what needs two of a tag waits after the first of them', (o) => ({
    policies: [twoOperators(o)],
    requests: [{ ask: createsPolicy(), comesTo: ['waits', 'REQUIRES_CONSENSUS'] }],
  })),
  shown(14, 'the second of the tag completes it', async (o) => {
    const { json } = await approved(o, o.B, await waiting(o))
    assert.equal(json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.ok(json.activity.result.createPolicyResult.policyId)
  }),
  shown(15, 'the approval of someone without the tag is refused, and it still waits', async (o) => {
    const { id, ...activity } = await waiting(o)
    const { status, json } = await approved(o, o.C, activity)
    assert.deepEqual([status, json.code], [403, 7])
    const after = await o.service.query(o.D, 'get_activity', { activityId: id })
    assert.equal(after.json.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.equal(after.json.activity.votes.length, 1)
  }),
  decided(15, 'someone without the tag does not even begin it', (o) => ({
    policies: [twoOperators(o)],
    requests: [{ by: o.C, ask: createsPolicy(), comesTo: ['denied', 'DENY_IMPLICIT'] }],
  })),
  decided(16, 'a consensus that names only another does not apply to who submits', (o) => ({
    policies: [allow('true', { consensus: anyOf(o.B) })],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['denied', 'DENY_IMPLICIT'] }],
  })),
  decided(17, 'a consensus of two named users waits for the other', (o) => ({
    policies: [allow('true', { consensus: anyOf(o.A, o.B) })],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['waits', 'REQUIRES_CONSENSUS'] }],
  })),
  decided(18, 'all approvers of a tag is true of one who has it, and of nobody else', (o) => ({
    policies: [allow('true', { consensus: `approvers.all(u, u.tags.contains('${o.ops}'))` })],
    requests: [
      { ask: signsPayload(o.K1), comesTo: ['completed', 'ALLOW'] },
      { by: o.C, ask: signsPayload(o.K1), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(19, 'an API key is no passkey to a consensus', (o) => ({
    policies: [byPasskey],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['denied', 'DENY_IMPLICIT'] }],
  })),
  shown(20, 'a passkey is', async (o) => {
    await written(o, [byPasskey])
    const { json, text } = await stampedWith(await passkeyOf(o, o.A), o)
    assert.equal(json.activity?.status, 'ACTIVITY_STATUS_COMPLETED', text)
    assert.ok(json.activity.result.signRawPayloadResult.r)
  }),
  decided(21, 'a consensus sees the address and the name of an approver', async (o) => {
    const { userId } = o.A
    await o.service.done(o.R, 'ACTIVITY_TYPE_UPDATE_USER', { userId, userEmail: 'a@x.io' })
    return {
      policies: [allow(undefined, { consensus: "approvers.any(u, u.email == 'a@x.io' && u.alias != 'Z')" })],
      requests: [
        { ask: signsPayload(o.K1), comesTo: ['completed', 'ALLOW'] },
        { by: o.B, ask: signsPayload(o.K1), comesTo: ['denied', 'DENY_IMPLICIT'] },
      ],
    }
  }),
]

const byPasskey = allow(SIGN, {
  consensus: "credentials.any(c, c.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR')",
})

function twoOperators({ ops }: Organization): Terms {
  const consensus = `approvers.filter(u, u.tags.contains('${ops}')).count() > 1`
  return allow("activity.resource == 'POLICY'", { consensus })
}

async function waiting(o: Organization): Promise<JsonAnswer> {
  const policyIds = await written(o, [twoOperators(o)])
  return await checked(o, policyIds, { ask: createsPolicy(), comesTo: ['waits', 'REQUIRES_CONSENSUS'] })
}

async function approved(o: Organization, by: Member, { fingerprint }: JsonAnswer): Promise<Response> {
  o.service.world.advance(1)
  return await o.service.submit(by, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
}

const ORIGIN = 'http://localhost'

async function passkeyOf({ service, R }: Organization, { userId }: Member): Promise<SoftwareAuthenticator> {
  const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
  const challenge = Buffer.from('a challenge of our own').toString('base64url')
  const attestation = passkey.register(challenge, ORIGIN)
  await service.done(R, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
    userId,
    authenticators: [{ authenticatorName: 'Passkey', challenge, attestation }],
  })
  return passkey
}

async function stampedWith(passkey: SoftwareAuthenticator, o: Organization): Promise<Response> {
  const { service } = o
  service.world.advance(1)
  const body = JSON.stringify({
    ...signsPayload(o.K1),
    timestampMs: String(service.world.now()),
    organizationId: service.organizationId,
  })
  const { stampHeaderName, stampHeaderValue } = passkey.assert(body, ORIGIN)
  return await service.post('/public/v1/submit/sign_raw_payload', body, {
    [stampHeaderName]: stampHeaderValue,
  })
}
