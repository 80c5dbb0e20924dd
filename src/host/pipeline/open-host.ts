import { Pace } from '../../trusted/base/work.ts'
import type { World } from '../../trusted/base/world.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import { activitiesByType } from '../../trusted/catalogue/submission.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../../protocol/vault.ts'
import { CharterCache } from './charter-cache.ts'
import { CheckedCharters } from './checked-charters.ts'
import { Commits } from './commits.ts'
import type { Host } from './host.ts'
import { LastUses } from './last-uses.ts'
import { limitedVault } from '../link/limited-vault.ts'
import { longQueries } from './long-queries.ts'
import { nextTurn } from './next-turn.ts'
import { RowCache } from './row-cache.ts'
import { keyedMutex } from '../../trusted/base/keyed-mutex.ts'

export function openHost(parts: {
  readonly store: Store
  readonly vault: Vault
  readonly world: World
  readonly activities: readonly Activity[]
  readonly outside: Host['outside']
  readonly onCommitted: Host['onCommitted']
  readonly onRead?: Host['onRead']
  readonly archives?: Host['archives'] | undefined
}): Host {
  const { store, world, activities, outside, onCommitted, onRead, archives } = parts
  const vault = limitedVault(parts.vault)
  const charters = new CharterCache(store)
  const checked = new CheckedCharters(charters, vault)
  return {
    store,
    vault,
    world,
    types: activitiesByType(activities),
    charters,
    checked,
    rows: new RowCache(),
    commits: new Commits({ store, vault }),
    uses: new LastUses({ store, checked, world }),
    keyedMutex: keyedMutex(),
    pace: new Pace(nextTurn),
    longQueries: longQueries(),
    outside,
    onCommitted,
    ...(onRead === undefined ? {} : { onRead }),
    ...(archives === undefined ? {} : { archives }),
  }
}
