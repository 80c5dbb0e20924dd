import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { present } from '../../../src/trusted/base/assert.ts'
import { createAuthenticator } from '../../support/software-authenticator.ts'
import type { Person, Setting } from '../setting.ts'

const ORIGIN = 'https://example.com'

export function mfaFlows({ subOrganization, clientWith }: Setting): void {
  test('who has to show a passkey beside a key is waited for, and their second proof carries it out', async () => {
    const [first, second] = await subOrganization('Two proofs', ['Ada', 'Bob'])
    const [ada, bob] = [present(first, 'the first'), present(second, 'the second')]
    const { organizationId } = ada
    const authenticator = await aPasskeyOf(ada)
    const created = await bob.client.createMfaPolicy(
      bob.activity('ACTIVITY_TYPE_CREATE_MFA_POLICY', {
        userId: ada.userId,
        mfaPolicyName: 'Tags with a passkey',
        condition: "activity.resource == 'USER'",
        requiredAuthenticationMethods: [
          { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] },
          { any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] },
        ],
        order: 0,
      }),
    )
    const { mfaPolicyId } = present(created.activity.result.createMfaPolicyResult, 'the policy')

    const { activity } = await ada.client.createUserTag(
      ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Waits', userIds: [] }),
    )
    assert.equal(activity.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED')
    const status = async () =>
      (await ada.client.getMfaStatus({ organizationId, activityId: activity.id })).mfaStatuses
    assert.deepEqual(
      (await status()).map(({ satisfied, ...one }) => [one.userId, one.mfaPolicyId, satisfied]),
      [[ada.userId, mfaPolicyId, false]],
    )
    const withPasskey = clientWith({ stamp: async (body) => authenticator.assert(body, ORIGIN) })
    const approved = await withPasskey.approveActivity(
      ada.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: activity.fingerprint }),
    )
    assert.equal(approved.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.ok(approved.activity.result.createUserTagResult?.userTagId)
    assert.deepEqual(
      (await status()).map(({ satisfied }) => satisfied),
      [true],
    )
  })

  test('a policy about proofs is read, changed and taken back', async () => {
    const [first, second] = await subOrganization('Changed proofs', ['Ada', 'Bob'])
    const [ada, bob] = [present(first, 'the first'), present(second, 'the second')]
    const { organizationId } = ada
    const { userId } = bob
    const requiredAuthenticationMethods = [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' as const }] }]
    const created = await ada.client.createMfaPolicy(
      ada.activity('ACTIVITY_TYPE_CREATE_MFA_POLICY', {
        userId,
        mfaPolicyName: 'Everything',
        condition: 'true',
        requiredAuthenticationMethods,
        order: 3,
        notes: 'Reviewed',
      }),
    )
    const { mfaPolicyId } = present(created.activity.result.createMfaPolicyResult, 'the policy')
    const waits = await tagBy(bob, 'Not yet')
    assert.equal(waits.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED')
    await ada.client.updateMfaPolicy(
      ada.activity('ACTIVITY_TYPE_UPDATE_MFA_POLICY', {
        userId,
        mfaPolicyId,
        mfaPolicyName: 'Signing',
        condition: "activity.action == 'SIGN'",
      }),
    )
    const { mfaPolicy } = await bob.client.getMfaPolicy({ organizationId, userId, mfaPolicyId })
    const { mfaPolicyName, order, notes } = mfaPolicy
    assert.deepEqual([mfaPolicyName, order, notes], ['Signing', 3, 'Reviewed'])
    assert.deepEqual(mfaPolicy.requiredAuthenticationMethods, requiredAuthenticationMethods)
    assert.equal((await tagBy(bob, 'Now')).status, 'ACTIVITY_STATUS_COMPLETED')

    await ada.client.deleteMfaPolicy(ada.activity('ACTIVITY_TYPE_DELETE_MFA_POLICY', { userId, mfaPolicyId }))
    assert.deepEqual((await bob.client.getMfaPolicies({ organizationId, userId })).mfaPolicies, [])
  })
}

async function tagBy({ client, activity }: Person, userTagName: string) {
  const made = await client.createUserTag(
    activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }),
  )
  return made.activity
}

async function aPasskeyOf({ client, activity, userId }: Person) {
  const authenticator = createAuthenticator({ rpId: 'example.com', randomBytes })
  const challenge = randomBytes(32).toString('base64url')
  const { transports: _, ...attestation } = authenticator.register(challenge, ORIGIN)
  await client.createAuthenticators(
    activity('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
      userId,
      authenticators: [
        {
          authenticatorName: 'Phone',
          challenge,
          attestation: { ...attestation, transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL' as const] },
        },
      ],
    }),
  )
  return authenticator
}
