import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateP256KeyPair, verifySessionJwtSignature } from '@turnkey/crypto'
import { present } from '../../../src/trusted/base/assert.ts'
import { openedBundle } from '../credential-bundle.ts'
import type { Person, Setting, Stranger } from '../setting.ts'
import { signSomething } from '../sign-something.ts'

export function sessionFlows(setting: Setting): void {
  const { root, keys, someone, subOrganization } = setting

  test('a user who may stamp opens a session for another key, which the published library verifies', async () => {
    const ada = present((await subOrganization('Sessions of Ada', ['Ada']))[0], 'the root user')
    const before = Math.floor(Date.now() / 1000)
    const { session, token } = await stampedLogin(ada)
    const after = Math.ceil(Date.now() / 1000)
    assert.ok(await verifySessionJwtSignature(token, keys.session))
    const { public_key, session_type, user_id, organization_id, exp } = claimsOf(token)
    assert.deepEqual(
      [public_key, session_type, user_id, organization_id],
      [session.publicKey, 'SESSION_TYPE_READ_WRITE', ada.userId, ada.organizationId],
    )
    assert.ok(Number(exp) >= before + 900 && Number(exp) <= after + 900, String(exp))
    await signSomething(session)

    const { session: only } = await stampedLogin(ada, { invalidateExisting: true })
    await only.client.getWhoami({ organizationId: ada.organizationId })
    await assert.rejects(
      session.client.getWhoami({ organizationId: ada.organizationId }),
      /Turnkey error 16: /,
    )
  })

  test('a session with a profile is called by its name and does nothing that the profile does not let it', async () => {
    const { organizationId } = root
    const profile = {
      sessionProfileName: 'Tags only',
      scope: "activity.resource == 'USER'",
      expirationSeconds: '60',
      notes: 'For the shop',
    }
    const { activity } = await root.client.createSessionProfile(
      root.activity('ACTIVITY_TYPE_CREATE_SESSION_PROFILE', profile),
    )
    const { sessionProfileId } = present(activity.result.createSessionProfileResult, 'the profile')
    const read = await root.client.getSessionProfile({ organizationId, sessionProfileId })
    assert.equal(read.sessionProfile.scope, profile.scope)
    assert.equal(read.sessionProfile.expirationSeconds, '60')
    const { sessionProfiles } = await root.client.getSessionProfiles({ organizationId })
    assert.deepEqual(
      sessionProfiles.map(({ sessionProfileName, notes }) => [sessionProfileName, notes]),
      [['Tags only', 'For the shop']],
    )

    const ada = present((await subOrganization('Profiles of Ada', ['Ada']))[0], 'the root user')
    const { session, token } = await stampedLogin(ada, { sessionProfileId, expirationSeconds: '3600' })
    assert.ok(await verifySessionJwtSignature(token, keys.session))
    const claims = claimsOf(token)
    assert.deepEqual(
      [claims['session_type'], claims['session_profile_id']],
      [profile.sessionProfileName, sessionProfileId],
    )
    assert.ok(Number(claims['exp']) <= Date.now() / 1000 + 60)
    await session.client.createUserTag(
      session.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'May', userIds: [] }),
    )
    await assert.rejects(signSomething(session), /Turnkey error 7: /)
  })

  test('a read-write session comes in a bundle that only its target opens', async () => {
    const ada = present((await subOrganization('Bundles of Ada', ['Ada']))[0], 'the root user')
    const target = generateP256KeyPair()
    const { activity } = await ada.client.createReadWriteSession(
      ada.activity('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', {
        targetPublicKey: target.publicKeyUncompressed,
      }),
    )
    const made = present(activity.result.createReadWriteSessionResultV2, 'the session')
    assert.deepEqual(
      [made.organizationId, made.userId, made.username],
      [ada.organizationId, ada.userId, 'Ada'],
    )
    await signSomething(someone(ada.organizationId, openedBundle(made.credentialBundle, target)))
    assert.throws(() => openedBundle(made.credentialBundle, generateP256KeyPair()))
  })

  test('a read-only session reads, as browsers send it, and does nothing else', async () => {
    const ada = present((await subOrganization('Readings of Ada', ['Ada']))[0], 'the root user')
    const { activity } = await ada.client.createReadOnlySession(
      ada.activity('ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {}),
    )
    const { session, sessionExpiry } = present(activity.result.createReadOnlySessionResult, 'the session')
    assert.match(sessionExpiry, /^\d{10}$/)
    // The client adds no header of its own, so its stamp is put in the place of one.
    const reader = setting.clientWith({
      stamp: async () => ({ stampHeaderName: 'X-Session', stampHeaderValue: session }),
    })
    const { organizationId, userId } = ada
    assert.equal((await reader.getWhoami({ organizationId })).userId, userId)
    await assert.rejects(
      reader.createUserTag(ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'No', userIds: [] })),
      /Turnkey error \d+: /,
    )
  })

  async function stampedLogin(
    person: Person,
    parameters: {
      readonly invalidateExisting?: boolean
      readonly sessionProfileId?: string
      readonly expirationSeconds?: string
    } = {},
  ): Promise<{ readonly session: Stranger; readonly token: string }> {
    const session = someone(person.organizationId)
    const { activity } = await person.client.stampLogin(
      person.activity('ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: session.publicKey, ...parameters }),
    )
    return { session, token: present(activity.result.stampLoginResult, 'the session').session }
  }
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(present(token.split('.')[1], 'the claims'), 'base64url').toString())
}
