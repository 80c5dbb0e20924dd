import assert from 'node:assert/strict'
import { createsApiKeyFor, createsWallet, signsPayload } from './asks.ts'
import { allow, anyOf, checked, decided, deny, SIGN, type Terms, written } from './decision.ts'
import type { Organization } from './organization.ts'
import { shown } from './row.ts'
import type { Member } from '../support/service.ts'

/** Rows 1 to 12: root quorum, policies, and what needs neither. */
export const rowsOfAuthority = [
  decided(1, 'without policies a user signs nothing', (o) => ({
    policies: [],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['denied'] }],
  })),
  decided(2, 'an ALLOW of signing lets a user sign', (o) => ({
    policies: [allow(SIGN)],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['completed', 'ALLOW'] }],
  })),
  decided(3, 'a DENY about a wallet stops its account beside an ALLOW of all signing', (o) => ({
    policies: aboutW1(o),
    requests: [{ ask: signsPayload(o.E1), comesTo: ['denied', 'ALLOW', 'DENY_EXPLICIT'] }],
  })),
  decided(4, 'the root quorum passes a DENY', (o) => ({
    policies: aboutW1(o),
    requests: [{ by: o.R, ask: signsPayload(o.E1), comesTo: ['completed'] }],
  })),
  shown(5, 'one of two root users waits for the other', async (o) => {
    await twoRoots(o)
    await checked(o, [], { by: o.R, ask: createsWallet(), comesTo: ['waits'] })
  }),
  shown(6, 'the other root user approves by fingerprint, and it is done with two votes', async (o) => {
    const R2 = await twoRoots(o)
    const { fingerprint } = await checked(o, [], { by: o.R, ask: createsWallet(), comesTo: ['waits'] })
    o.service.world.advance(1)
    const { json } = await o.service.submit(R2, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.equal(json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.ok(json.activity.result.createWalletResult.walletId)
    assert.deepEqual(
      json.activity.votes.map(({ userId }: { readonly userId: string }) => userId),
      [o.R.userId, R2.userId],
    )
  }),
  shown(7, 'a policy lets one of two root users act alone', async (o) => {
    const policyIds = await written(o, [allow("activity.kind == 'CREATE_WALLET'", { consensus: anyOf(o.R) })])
    await twoRoots(o)
    await checked(o, policyIds, { by: o.R, ask: createsWallet(), comesTo: ['completed', 'ALLOW'] })
  }),
  decided(8, 'what is left to the root quorum no policy gives away', (o) => ({
    policies: [allow("activity.kind == 'SET_ORGANIZATION_FEATURE'", { consensus: anyOf(o.A) })],
    requests: [{ ask: setsFeature, comesTo: ['denied'] }],
  })),
  shown(9, 'queries ask no policy', async (o) => {
    await written(o, [allow('true')])
    const { status, json } = await o.service.query(o.D, 'list_policies')
    assert.equal(status, 200)
    assert.equal(json.policies.length, 1)
  }),
  decided(10, 'a user adds a key of their own without a policy', (o) => ({
    policies: [],
    requests: [{ ask: createsApiKeyFor(o, o.A), comesTo: ['completed'] }],
  })),
  decided(11, 'a DENY stops what users may do to themselves', (o) => ({
    policies: [deny("activity.resource == 'CREDENTIAL'")],
    requests: [{ ask: createsApiKeyFor(o, o.A), comesTo: ['denied', 'DENY_EXPLICIT'] }],
  })),
  decided(12, 'without a policy a user adds no key to another', (o) => ({
    policies: [],
    requests: [{ ask: createsApiKeyFor(o, o.B), comesTo: ['denied'] }],
  })),
]

const setsFeature = {
  type: 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
  parameters: { name: 'FEATURE_NAME_EMAIL_AUTH' },
}

function aboutW1({ walletId }: Organization): readonly Terms[] {
  return [allow(SIGN), deny(`wallet.id == '${walletId}'`)]
}

/** From here on R and the user who is answered must agree. */
async function twoRoots({ service, R }: Organization): Promise<Member> {
  const R2 = await service.user('R2')
  const userIds = [R.userId, R2.userId]
  await service.done(R, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  return R2
}
