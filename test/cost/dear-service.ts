import type { Store } from '../../src/host/store/store.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn } from '../tampering/harness.ts'
import { established } from '../tampering/populated.ts'
import { castOf } from './cast.ts'
import { type DearRequest, dearRequests } from './dear-requests.ts'
import { actor, recorder } from './recorded.ts'

type DearService = {
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
  const { organizationId, key: rootKey } = await established(service, store, 'Dear')
  const as = (key: typeof rootKey) => actor(service, taken, { organizationId, key })
  const cast = await castOf(as(rootKey), as, world.randomBytes)
  return {
    requests: await dearRequests(cast),
    turns: () => turns,
    whoami: () => cast.member.query('whoami', {}),
  }
}
