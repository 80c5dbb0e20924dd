import type { Pace } from '../../trusted/base/work.ts'
import type { World } from '../../trusted/base/world.ts'
import type { Answer, Question } from '../../trusted/catalogue/question.ts'
import type { ActivitiesByType } from '../../trusted/catalogue/submission.ts'
import type { ArchivedActivities } from '../copies/archives/archived-activities.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../../protocol/vault.ts'
import type { CharterCache } from './charter-cache.ts'
import type { CheckedCharters } from './checked-charters.ts'
import type { Commits } from './commits.ts'
import type { LastUses } from './last-uses.ts'
import type { longQueries } from './long-queries.ts'
import type { RowCache } from './row-cache.ts'
import type { KeyedMutex } from '../../trusted/base/keyed-mutex.ts'

/** A query, its organization and its user. */
type Read = { readonly organizationId: string; readonly operation: string; readonly userId: string }

/**
 * The parts with which the host serves requests. They are never an authority: the caches are only used under the guard
 * of a charter version.
 */
export type Host = {
  readonly store: Store
  readonly vault: Vault
  readonly types: ActivitiesByType
  readonly world: Pick<World, 'now' | 'elapsed'>
  readonly charters: CharterCache
  readonly checked: CheckedCharters
  readonly rows: RowCache
  readonly commits: Pick<Commits, 'commit' | 'ended'>
  /** The day on which each user and credential was last used. */
  readonly uses: Pick<LastUses, 'note' | 'of' | 'write'>
  /**
   * Serialises amendments of one organization, so that they do not overtake each other; correctness does not depend on
   * it.
   */
  readonly keyedMutex: KeyedMutex
  /** Activities that have left the store; absent if the operator names no archives. */
  readonly archives?: ArchivedActivities
  /** Expensive work of all requests on this thread is done in slices. */
  readonly pace: Pace
  readonly longQueries: ReturnType<typeof longQueries>
  /** Finds the answer to a question of the vault. `asker`: the tenant in whose turn it is asked. */
  readonly outside: (question: Question, asker: string) => Promise<Answer>
  /** Called after the commit of a unit: deliveries and watchers of the organization may have new data. */
  readonly onCommitted: (organizationId: string) => void
  /** Called, and awaited, before a query is answered; absent if reads are not audited. */
  readonly onRead?: (read: Read) => Promise<void>
}
