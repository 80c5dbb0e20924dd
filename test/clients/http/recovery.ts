import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { generateP256KeyPair } from '@turnkey/crypto'
import { present } from '../../../src/trusted/base/assert.ts'
import { createAuthenticator } from '../../support/software-authenticator.ts'
import { openedBundle } from '../credential-bundle.ts'
import { switchedOn } from '../features.ts'
import { bundleIn } from '../inbox.ts'
import { newAddress } from '../one-time-code.ts'
import { type Setting, withKey } from '../setting.ts'
import { signSomething } from '../sign-something.ts'

const ORIGIN = 'https://example.com'

export function recoveryFlows(setting: Setting): void {
  const { root, inbox, someone, clientWith } = setting
  before(() => switchedOn(root, ['FEATURE_NAME_EMAIL_AUTH', 'FEATURE_NAME_EMAIL_RECOVERY']))

  test('a mail brings a key that only the asking browser opens, and that signs as its user', async () => {
    const { organizationId, userId, userEmail } = await withMail('reader')
    const target = generateP256KeyPair()
    const { activity } = await root.client.emailAuth({
      ...root.activity('ACTIVITY_TYPE_EMAIL_AUTH_V3', {
        email: userEmail,
        targetPublicKey: target.publicKeyUncompressed,
        emailCustomization: { appName: 'Example' },
      }),
      organizationId,
    })
    assert.equal(activity.result.emailAuthResult?.userId, userId)
    assert.equal(JSON.stringify(activity).includes('credentialBundle'), false)
    const opened = openedBundle(bundleIn(await inbox.newest(userEmail)), target)
    await signSomething(someone(organizationId, opened))
  })

  test('who has lost everything gets a mail, registers a passkey with what is in it, and stamps with the passkey', async () => {
    const { organizationId, userId, userEmail } = await withMail('loser')
    const target = generateP256KeyPair()
    await root.client.initUserEmailRecovery({
      ...root.activity('ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', {
        email: userEmail,
        targetPublicKey: target.publicKeyUncompressed,
        emailCustomization: { appName: 'Example' },
      }),
      organizationId,
    })
    const recovering = someone(organizationId, openedBundle(bundleIn(await inbox.newest(userEmail)), target))
    await assert.rejects(signSomething(recovering), /Turnkey error 7: /)
    const authenticator = createAuthenticator({ rpId: 'example.com', randomBytes })
    const challenge = randomBytes(32).toString('base64url')
    const { transports: _, ...attestation } = authenticator.register(challenge, ORIGIN)
    const { activity } = await recovering.client.recoverUser(
      recovering.activity('ACTIVITY_TYPE_RECOVER_USER', {
        userId,
        authenticator: {
          authenticatorName: 'New phone',
          challenge,
          attestation: { ...attestation, transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'] },
        },
      }),
    )
    assert.equal(activity.result.recoverUserResult?.authenticatorId.length, 1)
    const withPasskey = clientWith({ stamp: async (body) => authenticator.assert(body, ORIGIN) })
    assert.equal((await withPasskey.getWhoami({ organizationId })).userId, userId)
    // The key was for this one thing.
    await assert.rejects(recovering.client.getWhoami({ organizationId }), /Turnkey error 16: /)
  })

  async function withMail(name: string) {
    const userEmail = newAddress(name)
    const { activity } = await root.client.createSubOrganization(
      root.activity('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
        subOrganizationName: userEmail,
        rootQuorumThreshold: 1,
        rootUsers: [{ ...withKey(someone(''), name), userEmail }],
      }),
    )
    const made = present(activity.result.createSubOrganizationResultV8, 'the result')
    const userId = present(made.rootUserIds?.[0], 'the root user')
    return { organizationId: made.subOrganizationId, userId, userEmail }
  }
}
