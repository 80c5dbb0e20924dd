import { type StampKey, stampKeyFrom } from '../support/stamper.ts'
import type { Actor } from './recorded.ts'

/**
 * Those who make the dear requests: a root user, a member whom nothing allows anything, and somebody who is unknown.
 */
export type Cast = { readonly root: Actor; readonly member: Actor; readonly stranger: Actor }

export async function castOf(
  root: Actor,
  as: (key: StampKey) => Actor,
  randomBytes: (length: number) => Uint8Array,
): Promise<Cast> {
  const newKey = (): StampKey => stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', randomBytes)
  const [memberKey, strangersKey] = [newKey(), newKey()]
  await root.done('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V3', {
    users: [
      {
        userName: 'Member',
        userTags: [],
        apiKeys: [{ apiKeyName: 'Key', publicKey: memberKey.publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
      },
    ],
  })
  return { root, member: as(memberKey), stranger: as(strangersKey) }
}
