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
import type { RowCache } from './row-cache.ts'
import type { KeyedMutex } from '../../trusted/base/keyed-mutex.ts'

/** Who has asked what of which organization. */
type Read = { readonly organizationId: string; readonly operation: string; readonly userId: string }

/**
 * What the host carries requests with. It keeps no truth: the caches are only ever used under the guard of a charter
 * version.
 */
export type Host = {
  readonly store: Store
  readonly vault: Vault
  readonly types: ActivitiesByType
  readonly world: Pick<World, 'now'>
  readonly charters: CharterCache
  readonly checked: CheckedCharters
  readonly rows: RowCache
  readonly commits: Pick<Commits, 'commit' | 'ended'>
  /** On which day whom was last seen. */
  readonly uses: Pick<LastUses, 'note' | 'of' | 'write'>
  /**
   * Amendments of one organization take turns, so that they do not undo each other's work; exactness does not rest on
   * it.
   */
  readonly keyedMutex: KeyedMutex
  /** What has left the store; absent where the operator names no place of archives. */
  readonly archives?: ArchivedActivities
  /** Dear work on this thread, of all requests together, goes a slice at a time. */
  readonly pace: Pace
  /** Finds out what the vault asks. */
  readonly outside: (question: Question) => Promise<Answer>
  /** A unit has been committed: there may be something to deliver, and to tell those who watch the organization. */
  readonly onCommitted: (organizationId: string) => void
  /** Told of a query before it is answered, and awaited; absent where nobody wants to know. */
  readonly onRead?: (read: Read) => Promise<void>
}
