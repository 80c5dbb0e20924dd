import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { boolean, label, object, optional, text, type TypeOf, uuid } from '../../catalogue/shape.ts'
import type { IdentityToken } from '../../catalogue/identity-tokens.ts'
import { expirationSecondsText, invalidApiKeyExpiration } from '../credentials/expiration-seconds.ts'
import { bundledKeyFailures, checkTargetKey, withBundledKey } from '../sessions/bundled-key.ts'
import { identityLoginFailures, loggedIn, loginQuestions, verifiedLogin } from './identity-login.ts'
import { oidcToken } from './provider-params.ts'

const intent = object({
  oidcToken,
  targetPublicKey: text({ max: 256 }),
  apiKeyName: optional(label),
  expirationSeconds: optional(expirationSecondsText),
  invalidateExisting: optional(boolean),
})
const result = object({ userId: uuid, apiKeyId: uuid, credentialBundle: text({ max: 256 }) })

/** The older login with an identity token: the service creates the key and returns it in a bundle. */
export const oauth = defineActivity<
  TypeOf<typeof intent>,
  TypeOf<typeof result>,
  Record<never, never>,
  IdentityToken
>({
  operation: 'oauth',
  summary: 'Log in with an OIDC token, and get a new API key in an encrypted bundle',
  forms: form('ACTIVITY_TYPE_OAUTH', intent, { key: 'oauthResult', shape: result }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  logsIn: true,
  personal: { of: 'one' },
  parentMay: true,
  looksAtParent: true,
  fails: [...bundledKeyFailures, ...identityLoginFailures, invalidApiKeyExpiration],
  example: {
    intent: {
      oidcToken:
        'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwiYXVkIjoid2ViIiwic3ViIjoiNDcxMSJ9.c2lnbmF0dXJl',
      targetPublicKey:
        '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
      apiKeyName: 'Browser',
      expirationSeconds: '900',
      invalidateExisting: true,
    },
    result: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      apiKeyId: '0198c5a0-7d3c-7000-8000-000000000004',
      credentialBundle:
        'w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf',
    },
  },
  validate: (given) => checkTargetKey(given),
  asks: ({ intent: { oidcToken: jwt }, charter, audiences }) => loginQuestions(jwt, charter, audiences),
  verify: async ({ oidcToken: jwt, targetPublicKey }, means) =>
    await verifiedLogin(jwt, targetPublicKey, means),

  async execute({ intent: given, charter, verified, now, newId, randomBytes, work }) {
    const user = loggedIn(verified, charter, { now, newId })
    const type = 'CREDENTIAL_TYPE_OAUTH_KEY_P256'
    const made = { charter, user, type, kindName: 'Oauth', intent: given, now, newId, randomBytes } as const
    const { charter: amended, apiKeyId, bundle } = await work.through(withBundledKey(made))
    return { result: { userId: user.userId, apiKeyId, credentialBundle: bundle }, charter: amended }
  },
})
