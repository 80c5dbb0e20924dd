import type { Oauth2Provider } from './charter.ts'

/**
 * Who has issued the tokens that the service makes itself, after an OAuth 2.0 login at this provider. No issuer on the web can
 * be called so; and each provider has its own, as a number that one gives a user may be someone else's at another.
 */
export const serviceIssuers: Readonly<Record<Oauth2Provider, string>> = {
  OAUTH2_PROVIDER_X: 'urn:claviger:oauth2:x',
  OAUTH2_PROVIDER_DISCORD: 'urn:claviger:oauth2:discord',
}
