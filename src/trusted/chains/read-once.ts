import type { Steps } from '../base/work.ts'
import type { ContractInterface } from './transaction.ts'

/** The same interface, for many calls: it is read when the first of them asks, and what was read is kept with it. */
export function forManyCalls(contractInterface: ContractInterface): ContractInterface {
  const kept = new Map<unknown, unknown>()
  return {
    ...contractInterface,
    *readOnce<T>(read: (text: string) => Steps<T>): Steps<T> {
      if (!kept.has(read)) kept.set(read, yield* read(contractInterface.text))
      // What is kept under a function is what that function gave.
      return kept.get(read) as T
    },
  }
}
