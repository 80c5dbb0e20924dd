import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, refined, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import type { RegisteredPasskey } from '../../crypto/webauthn-attestation.ts'
import {
  attestationFailures,
  authenticatorParams,
  AUTHENTICATORS_AT_ONCE_MAX,
  authenticatorUp,
  newAuthenticators,
  ownedAuthenticatorParamsV1,
  registeredPasskeys,
} from './authenticator-params.ts'
import { userFacts } from '../users/user-facts.ts'

const many = { min: 1, max: AUTHENTICATORS_AT_ONCE_MAX }

// The first form names the user twice; both must be the same.
const intentV1 = refined(object({ authenticators: list(ownedAuthenticatorParamsV1, many), userId: uuid }), {
  problem: ({ authenticators, userId }) =>
    authenticators.every((authenticator) => authenticator.userId === userId)
      ? undefined
      : 'must name the user of `userId` in every authenticator',
})
const intent = object({ authenticators: list(authenticatorParams, many), userId: uuid })
const result = object({ authenticatorIds: list(uuid, { max: AUTHENTICATORS_AT_ONCE_MAX }) })

export const createAuthenticators = defineActivity<
  TypeOf<typeof intent>,
  TypeOf<typeof result>,
  Record<never, never>,
  readonly RegisteredPasskey[]
>({
  operation: 'create_authenticators',
  summary: 'Add passkeys to a user',
  forms: form('ACTIVITY_TYPE_CREATE_AUTHENTICATORS', intentV1, {
    key: 'createAuthenticatorsResult',
    shape: result,
  }).next('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', intent, {
    up: ({ authenticators, userId }) => ({ authenticators: authenticators.map(authenticatorUp), userId }),
  }),
  resource: 'CREDENTIAL',
  action: 'CREATE',
  authority: { kind: 'ownCredentials', owner: ({ userId }) => userId },
  amends: true,
  personal: { of: 'one' },
  fails: [...memberFailures, ...attestationFailures],
  example: {
    intent: {
      authenticators: [
        {
          authenticatorName: 'Phone',
          challenge: 'kR2p0o7ySPI1gHbmxwFsmQ',
          attestation: {
            credentialId: 'VQw1FJbGn1y5a0vPmsb4wA',
            clientDataJson: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
            attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA',
            transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
          },
        },
      ],
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
    },
    result: { authenticatorIds: ['0198c5a0-7d3c-7000-8000-000000000005'] },
  },
  params: userFacts,
  verify: async ({ authenticators }, means) => await registeredPasskeys(authenticators, means),

  async execute({ intent: { authenticators, userId }, charter, verified, now, newId, work }) {
    const user = knownUser(charter, userId)
    const added = newAuthenticators({ params: authenticators, passkeys: verified, now, newId })
    const changed = { ...user, authenticators: [...user.authenticators, ...added] }
    return {
      result: { authenticatorIds: added.map(({ authenticatorId }) => authenticatorId) },
      charter: await work.through(withUsers(charter, [changed], now)),
    }
  },
})
