import type { Steps } from '../base/work.ts'
import type { ContractInterface } from './transaction.ts'

/** The same interface, for many calls: it is read at the first call, and the result is kept with it. */
export function forManyCalls(contractInterface: ContractInterface): ContractInterface {
  const kept = new Map<unknown, unknown>()
  return {
    ...contractInterface,
    *readOnce<T>(read: (text: string) => Steps<T>): Steps<T> {
      if (!kept.has(read)) kept.set(read, yield* read(contractInterface.text))
      // The value kept under a function is that function's result.
      return kept.get(read) as T
    },
  }
}
