import { anotherUser } from '../../../../../test/behaviour/things.ts'
import { anIdentityToken } from '../../../../../test/behaviour/identities.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { userId } = await anotherUser(setting)
  const oidcToken = anIdentityToken(setting.service, '')
  const first = { providerName: 'First', oidcToken }
  const oidcClaims = { iss: 'urn:claviger:oauth2:x', sub: '4711', aud: 'phone' }
  return {
    parameters: { userId, oauthProviders: [first, { providerName: 'Second', oidcClaims }] },
    older: { ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS: { userId, oauthProviders: [first] } },
  }
}
