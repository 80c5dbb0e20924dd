import type { Oauth2Provider } from './charter.ts'

/**
 * The issuer of the tokens that the service makes itself, after an OAuth 2.0 login at this provider. No issuer on the
 * web can have such a name. Each provider has its own, because the number of a user at one provider may be another
 * user's number at the next.
 */
export const serviceIssuers: Readonly<Record<Oauth2Provider, string>> = {
  OAUTH2_PROVIDER_X: 'urn:claviger:oauth2:x',
  OAUTH2_PROVIDER_DISCORD: 'urn:claviger:oauth2:discord',
}
