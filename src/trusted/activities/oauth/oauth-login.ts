import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { boolean, object, optional, text, type TypeOf } from '../../catalogue/shape.ts'
import type { IdentityToken } from '../../catalogue/identity-tokens.ts'
import { expirationSecondsText, invalidApiKeyExpiration } from '../credentials/expiration-seconds.ts'
import { loginFacts } from '../sessions/login-params.ts'
import {
  checkSessionKey,
  session,
  sessionFailures,
  withoutSession,
  withSession,
} from '../sessions/session-key.ts'
import { identityLoginFailures, loggedIn, loginQuestions, verifiedLogin } from './identity-login.ts'
import { oidcToken } from './provider-params.ts'

const intent = object({
  oidcToken,
  publicKey: text({ max: 256 }),
  expirationSeconds: optional(expirationSecondsText),
  invalidateExisting: optional(boolean),
  sessionProfileId: optional(text({ max: 64 })),
})
const result = object({ session })

export const oauthLogin = defineActivity<
  TypeOf<typeof intent>,
  TypeOf<typeof result>,
  Record<never, never>,
  IdentityToken
>({
  operation: 'oauth_login',
  summary: 'Log in with an OIDC token, and open a session for a key of the client',
  forms: form('ACTIVITY_TYPE_OAUTH_LOGIN', intent, { key: 'oauthLoginResult', shape: result }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  logsIn: true,
  personal: { of: 'one' },
  parentMay: true,
  looksAtParent: true,
  fails: [...sessionFailures, ...identityLoginFailures, invalidApiKeyExpiration],
  example: {
    intent: {
      oidcToken:
        'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwiYXVkIjoid2ViIiwic3ViIjoiNDcxMSJ9.c2lnbmF0dXJl',
      publicKey: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
      expirationSeconds: '900',
    },
    result: {
      session:
        'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE4MDAwMDA5MDAsInB1YmxpY19rZXkiOiIwMzZiIn0.c2lnbmF0dXJl',
    },
  },
  withoutBearer: withoutSession,
  params: loginFacts,
  validate: (given) => checkSessionKey(given),
  asks: ({ intent: { oidcToken: jwt }, charter, audiences }) => loginQuestions(jwt, charter, audiences),
  verify: async ({ oidcToken: jwt, publicKey }, means) => await verifiedLogin(jwt, publicKey, means),

  async execute({ intent: given, charter, parent, verified, now, newId, service, work }) {
    const user = loggedIn(verified, charter, { now, newId })
    const opened = await work.through(
      withSession({ charter, parent, user, intent: given, now, newId, service }),
    )
    return { result: { session: opened.session }, charter: opened.charter }
  },
})
