import { generateP256Secret, p256PublicKeyOf } from '../../../trusted/crypto/p256.ts'
import { ServiceError } from '../signed-query.ts'
import { type Make, resultIn } from './make.ts'
import type { Organization } from './organization.ts'
import type { Terminal } from './terminal.ts'
import { agentLabel } from './wanted-agent.ts'

/** The name of the key without a holder. */
export const NO_KEY = 'no key'

/**
 * Makes the user, who cannot make requests yet. A user has to have a credential: this one has a key that expires after
 * a second and whose private part is discarded here.
 */
export async function makeUser(
  organization: Organization,
  name: string,
  terminal: Terminal,
  make: Make,
): Promise<string> {
  const secret = generateP256Secret(terminal.randomBytes)
  const publicKey = p256PublicKeyOf(secret)
  secret.fill(0)
  const apiKeys = [{ apiKeyName: NO_KEY, publicKey, curveType: 'API_KEY_CURVE_P256', expirationSeconds: '1' }]
  const users = [
    { userName: agentLabel(name), apiKeys, authenticators: [], oauthProviders: [], userTags: [] },
  ]
  const step = { type: 'ACTIVITY_TYPE_CREATE_USERS_V3', parameters: { users }, mark: agentLabel(name) }
  const userIds = resultIn(await make(organization, step), 'createUsersResult', 'userIds')
  const userId = Array.isArray(userIds) ? userIds[0] : undefined
  if (typeof userId !== 'string')
    throw new ServiceError(
      'create_users returned an answer of an unknown form: the service may run another version',
    )
  return userId
}
