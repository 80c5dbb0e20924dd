import type { World } from '../base/world.ts'
import type { Activity } from '../catalogue/activity.ts'
import { activitiesByType } from '../catalogue/submission.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../vault/protocol.ts'
import { CharterShelf } from './charter-shelf.ts'
import type { Host } from './host.ts'
import { CheckedCharters } from './reader.ts'
import { RowShelf } from './row-shelf.ts'
import { turns } from './turns.ts'

export function openHost(parts: {
  readonly store: Store
  readonly vault: Vault
  readonly world: World
  readonly activities: readonly Activity[]
}): Host {
  const { store, vault, world, activities } = parts
  return {
    store,
    vault,
    world,
    types: activitiesByType(activities),
    charters: new CharterShelf(store),
    checked: new CheckedCharters(),
    rows: new RowShelf(),
    turns: turns(),
  }
}
