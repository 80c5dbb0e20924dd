import { endOf } from './end-of.ts'

/** Runs jobs of the same name one after another, and jobs of different names beside each other. */
export type KeyedMutex = {
  <T>(name: string, job: () => Promise<T>): Promise<T>
  /** Whether a further job of this name would wait. */
  readonly isHeld: (name: string) => boolean
}

export function keyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<void>>()
  const run = async <T>(name: string, job: () => Promise<T>): Promise<T> => {
    const before = last.get(name)
    const mine = before === undefined ? job() : before.then(job)
    const ended = endOf(mine)
    last.set(name, ended)
    try {
      return await mine
    } finally {
      if (last.get(name) === ended) last.delete(name)
    }
  }
  return Object.assign(run, { isHeld: (name: string) => last.has(name) })
}

/** Locks all of these names, in sorted order: one order for all holders rules out deadlock. */
export async function mutexes<T>(
  mutex: KeyedMutex,
  [name, ...rest]: readonly string[],
  job: () => Promise<T>,
): Promise<T> {
  return name === undefined ? await job() : await mutex(name, () => mutexes(mutex, rest, job))
}
