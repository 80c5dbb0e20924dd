import { present } from '../../base/assert.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { withoutRecoveryKeys } from '../../charter/ways-in.ts'
import type { RegisteredPasskey } from '../../crypto/webauthn-attestation.ts'
import {
  attestationFailures,
  authenticatorParams,
  newAuthenticators,
  registeredPasskeys,
} from '../credentials/authenticator-params.ts'
import { userFacts } from '../users/user-facts.ts'

const intent = object({ authenticator: authenticatorParams, userId: uuid })
const result = object({ authenticatorId: list(uuid, { min: 1, max: 1 }) })

/** The only use of a recovery key: to register a passkey for its own user. The key is then used up. */
export const recoverUser = defineActivity<
  TypeOf<typeof intent>,
  TypeOf<typeof result>,
  Record<never, never>,
  RegisteredPasskey
>({
  operation: 'recover_user',
  summary: 'Register a new passkey with a recovery credential',
  forms: form('ACTIVITY_TYPE_RECOVER_USER', intent, { key: 'recoverUserResult', shape: result }),
  resource: 'RECOVERY',
  action: 'CREATE',
  authority: {
    kind: 'ownCredentials',
    owner: ({ userId }) => userId,
    // Policies about new credentials name `create_authenticators`: with another credential it would be a way around
    // them.
    stampedWith: 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256',
  },
  amends: true,
  logsIn: true,
  personal: { of: 'one' },
  fails: [...memberFailures, ...attestationFailures],
  example: {
    intent: {
      authenticator: {
        authenticatorName: 'Phone',
        challenge: 'kR2p0o7ySPI1gHbmxwFsmQ',
        attestation: {
          credentialId: 'VQw1FJbGn1y5a0vPmsb4wA',
          clientDataJson: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
          attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA',
          transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
        },
      },
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
    },
    result: { authenticatorId: ['0198c5a0-7d3c-7000-8000-000000000005'] },
  },
  params: userFacts,
  verify: async ({ authenticator }, means) =>
    present((await registeredPasskeys([authenticator], means))[0], 'the one passkey that was verified'),

  async execute({ intent: { authenticator, userId }, charter, verified, now, newId, work }) {
    const user = knownUser(charter, userId)
    const added = newAuthenticators({ params: [authenticator], passkeys: [verified], now, newId })
    const recovered = { ...withoutRecoveryKeys(user), authenticators: [...user.authenticators, ...added] }
    return {
      result: { authenticatorId: added.map(({ authenticatorId }) => authenticatorId) },
      charter: await work.through(withUsers(charter, [recovered], now)),
    }
  },
})
