import { defineFailure, PERMISSION_DENIED } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { hasProvenEmail, withGoogleEmail } from './google.ts'
import {
  checkOauthProviders,
  newOauthProvider,
  OAUTH_PROVIDERS_AT_ONCE_MAX,
  oauthProviderFailures,
  oauthProviderParams,
  oauthProviderParamsV1,
  type ProvenProvider,
  provenProviders,
  providerQuestions,
} from './provider-params.ts'
import { userFacts } from '../users/user-facts.ts'

const many = { min: 1, max: OAUTH_PROVIDERS_AT_ONCE_MAX }
const intentV1 = object({ userId: uuid, oauthProviders: list(oauthProviderParamsV1, many) })
const intent = object({ userId: uuid, oauthProviders: list(oauthProviderParams, many) })
const result = object({ providerIds: list(uuid, { max: OAUTH_PROVIDERS_AT_ONCE_MAX }) })

const parentMayNotAdd = defineFailure<{ readonly userId: string }>({
  kind: 'parentMayNotAdd',
  code: PERMISSION_DENIED,
  errorCode: 'FORBIDDEN',
  say: ({ userId }) =>
    `a parent organization may only add Google identities whose verified email address user ${userId} has verified too`,
})

/**
 * A token proves that the caller controls the identity. A parent could have obtained the token of any person, so it
 * must additionally prove that the identity belongs to the user.
 */
export const createOauthProviders = defineActivity<
  TypeOf<typeof intent>,
  TypeOf<typeof result>,
  Record<never, never>,
  readonly ProvenProvider[]
>({
  operation: 'create_oauth_providers',
  summary: 'Add OIDC or OAuth 2.0 accounts with which a user can log in',
  forms: form('ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS', intentV1, {
    key: 'createOauthProvidersResult',
    shape: result,
  }).next('ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2', intent, {
    up: (older) => older,
    result: { key: 'createOauthProvidersResultV2', shape: result, down: (newer) => newer },
  }),
  resource: 'CREDENTIAL',
  action: 'CREATE',
  authority: { kind: 'ownCredentials', owner: ({ userId }) => userId },
  amends: true,
  personal: { of: 'one' },
  parentMay: true,
  looksAtParent: true,
  fails: [...memberFailures, ...oauthProviderFailures, parentMayNotAdd],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      oauthProviders: [
        {
          providerName: 'Example',
          oidcToken:
            'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwiYXVkIjoid2ViIiwic3ViIjoiNDcxMSJ9.c2lnbmF0dXJl',
        },
        {
          providerName: 'Example, on phones',
          oidcClaims: { iss: 'https://issuer.example', sub: '4711', aud: 'phone' },
        },
      ],
    },
    result: {
      providerIds: ['0198c5a0-7d3c-7000-8000-000000000003', '0198c5a0-7d3c-7000-8000-000000000004'],
    },
  },
  params: userFacts,
  validate: ({ oauthProviders }) => checkOauthProviders(oauthProviders),
  asks: ({ intent: { oauthProviders }, audiences }) => providerQuestions(oauthProviders, audiences),
  verify: async ({ oauthProviders }, means) => await provenProviders(oauthProviders, means),

  async execute({ intent: { userId }, charter, verified, requester, now, newId, work }) {
    const user = knownUser(charter, userId)
    const isOfParent = requester.organizationId !== charter.organizationId
    if (isOfParent && !verified.every(({ googleEmail = '' }) => hasProvenEmail(user, googleEmail)))
      throw parentMayNotAdd({ userId })
    const added = verified.map((provider) => newOauthProvider(provider, { now, newId }))
    const linked = verified.reduce((so, { googleEmail }) => withGoogleEmail(so, googleEmail), user)
    return {
      result: { providerIds: added.map(({ providerId }) => providerId) },
      charter: await work.through(
        withUsers(charter, [{ ...linked, oauthProviders: [...linked.oauthProviders, ...added] }], now),
      ),
    }
  },
})
