import type { TestContext } from 'node:test'
import type { CommitResult, Conflict, Store } from '../store.ts'

/** Opens the same data at each call; all opened stores are closed when the test ends. */
export type OpenAgain = () => Promise<Store>

/** Makes a promise of `Store` a test, on empty data. */
export type Promised = (
  name: string,
  body: (store: Store, again: OpenAgain, t: TestContext) => Promise<void>,
) => void

export const COMMITTED: CommitResult = { kind: 'committed' }

export function conflict(kind: Conflict): CommitResult {
  return { kind: 'conflict', conflict: kind }
}

export function count(results: readonly CommitResult[], like: CommitResult): number {
  return results.filter((result) => JSON.stringify(result) === JSON.stringify(like)).length
}
