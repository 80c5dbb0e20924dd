import {
  defineFailure,
  INVALID_ARGUMENT,
  NOT_FOUND,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
} from '../../trusted/base/failure.ts'

export const noConfiguration = defineFailure({
  kind: 'noConfiguration',
  code: NOT_FOUND,
  say: () => 'no auth proxy configuration found with the ID of header X-Auth-Proxy-Config-Id',
})

export const originNotAllowed = defineFailure<{ readonly origin: string | undefined }>({
  kind: 'originNotAllowed',
  code: PERMISSION_DENIED,
  say: ({ origin }) =>
    origin === undefined
      ? 'request not authorized: it has no origin, and this configuration accepts only certain origins'
      : `request not authorized: origin ${JSON.stringify(origin.slice(0, 200))} is not one of this configuration`,
})

/** Published clients search for `OAUTH disallowed`; the other messages have the same form. */
export const disallowed = defineFailure<{ readonly what: string }>({
  kind: 'disallowed',
  code: PERMISSION_DENIED,
  say: ({ what }) => `${what} disallowed: the auth proxy configuration does not allow it`,
})

export const notSettledAtOnce = defineFailure<{ readonly status: string }>({
  kind: 'notSettledAtOnce',
  code: PERMISSION_DENIED,
  say: ({ status }) =>
    `request not authorized: the policies do not let the auth proxy do this by itself (${status})`,
})

export const proofRequired = defineFailure<{ readonly filterType: string }>({
  kind: 'proofRequired',
  code: PERMISSION_DENIED,
  say: ({ filterType }) =>
    `request not authorized: looking up an account by ${filterType} needs a verification token or an OIDC token for that contact`,
})

export const notLookedUp = defineFailure<{ readonly filterType: string }>({
  kind: 'notLookedUp',
  code: PERMISSION_DENIED,
  say: ({ filterType }) =>
    `request not authorized: accounts are only looked up by EMAIL, PHONE_NUMBER, OIDC_TOKEN, OIDC_CLAIMS, PUBLIC_KEY or CREDENTIAL_ID, not by ${JSON.stringify(filterType.slice(0, 64))}`,
})

export const foreignToken = defineFailure({
  kind: 'foreignToken',
  code: PERMISSION_DENIED,
  say: () => 'request not authorized: the verification token is of another organization',
})

export const foreignClient = defineFailure({
  kind: 'foreignClient',
  code: PERMISSION_DENIED,
  say: () =>
    'request not authorized: the OIDC token was not issued to a client of this auth proxy configuration (oauthClientIds, socialLinkingClientIds)',
})

export const loginOfParent = defineFailure({
  kind: 'loginOfParent',
  code: PERMISSION_DENIED,
  say: () =>
    'request not authorized: only users of sub-organizations log in through the auth proxy, not users of their parent',
})

export const noAccount = defineFailure({
  kind: 'noAccount',
  code: NOT_FOUND,
  errorCode: 'ORGANIZATION_NOT_FOUND',
  say: () => 'no organization found for this login: sign up first, or send the organizationId',
})

export const noOauth2Credential = defineFailure<{ readonly provider: string; readonly clientId: string }>({
  kind: 'noOauth2Credential',
  code: NOT_FOUND,
  say: ({ provider, clientId }) =>
    `no OAuth 2.0 credential found for ${provider} with client ID ${JSON.stringify(clientId.slice(0, 200))}`,
})

export const nothingToSignUpWith = defineFailure({
  kind: 'nothingToSignUpWith',
  code: INVALID_ARGUMENT,
  say: () =>
    'invalid request: a sign-up needs a verification token, a passkey, an OAuth provider or an API key to log in with',
})

export const tooManyCodes = defineFailure({
  kind: 'tooManyCodes',
  code: RESOURCE_EXHAUSTED,
  say: () => 'too many one-time codes today; please try again later',
})

export const tooManySignUps = defineFailure({
  kind: 'tooManySignUps',
  code: RESOURCE_EXHAUSTED,
  say: () => 'too many sign-ups today; please try again later',
})
