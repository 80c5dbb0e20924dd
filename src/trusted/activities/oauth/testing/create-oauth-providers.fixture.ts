import { anotherUser } from '../../../../../test/behaviour/things.ts'
import { anIdentityToken } from '../../../../../test/behaviour/identities.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { userId } = await anotherUser(setting)
  const oidcToken = anIdentityToken(setting.service, '')
  const first = { providerName: 'First', oidcToken }
  const oidcClaims = { iss: 'urn:claviger:oauth2:x', sub: '4711', aud: 'phone' }
  return {
    parameters: { userId, oauthProviders: [first, { providerName: 'Second', oidcClaims }] },
    older: { ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS: { userId, oauthProviders: [first] } },
  }
}
