import type { Store } from '../../src/store/store.ts'
import { testWorld } from '../support/service.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { openServiceOn } from '../tampering/harness.ts'
import { founded } from '../tampering/populated.ts'
import { type DearRequest, dearRequests } from './dear-requests.ts'
import { actor, recorder } from './recorded.ts'

export type DearService = {
  readonly requests: readonly DearRequest[]
  /** How many turns of the event loop the vault has taken so far. */
  readonly turns: () => number
  readonly whoami: () => Promise<unknown>
}

/** The dear requests, ready to be made at an organization of their own. */
export async function dearService(store: Store, startAt: number): Promise<DearService> {
  const world = testWorld(1, startAt)
  const { around, taken } = recorder()
  let turns = 0
  const turn = async (): Promise<void> => {
    turns += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  const service = await openServiceOn(store, world, around, turn)
  const newKey = () => stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
  const [memberKey, strangersKey] = [newKey(), newKey()]
  const { organizationId, key: rootKey } = await founded(service, store, 'Dear')
  const as = (key: typeof rootKey) => actor(service, taken, { organizationId, key })
  const root = as(rootKey)
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
  const member = as(memberKey)
  return {
    requests: await dearRequests({ root, member, stranger: as(strangersKey) }),
    turns: () => turns,
    whoami: () => member.query('whoami', {}),
  }
}
