import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Unit } from '../../trusted/catalogue/unit.ts'
import {
  COMMITTED,
  errorOf,
  putRecord,
  STORE_METHODS,
  type StoreAnswers,
  type StoreCall,
  type StoreMethod,
  type StoreOpened,
} from './embedded-messages.ts'
import { StoreError } from './store-error.ts'
import type { Store } from './store.ts'

// In ticks of a second. A commit takes milliseconds, and a disk that takes this long is in trouble.
const CALL_TICKS_MAX = 10
const TICK_MS = 1_000

/**
 * The embedded store of `openSqlite`, on a thread of its own: what the disk and large units take holds up no request that needs
 * neither, and a disk that hangs leaves the host able to say so.
 *
 * @param path        the database file
 * @param lockWaitMs  how long to wait for another process that holds the file, 1 s unless told
 * @throws StoreError `inUse`, `foreign` or `notDurable`; calls reject with `unavailable` after ten seconds without an answer
 */
export async function openEmbeddedStore(settings: {
  readonly path: string
  readonly lockWaitMs?: number
}): Promise<Store> {
  const thread = new Worker(new URL('./embedded-thread.ts', import.meta.url), {
    workerData: settings,
    // Rows live for one commit: a small nursery keeps them out of the old one's way and costs less memory.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  const [message] = (await once(thread, 'message')) as [StoreOpened]
  if ('refused' in message) {
    await thread.terminate()
    throw errorOf(message.refused)
  }
  return connected(thread)
}

type Waiting = {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  /** The tick in which it was asked. */
  readonly since: number
}

function connected(thread: Worker): Store {
  const waiting = new Map<number, Waiting>()
  let records: (string | number | null)[] = []
  let calls: StoreCall[] = []
  let nextId = 1
  let ticks = 0
  let isDue = false
  let end: StoreError | undefined

  const post = (): void => {
    isDue = false
    thread.postMessage({ records, calls })
    records = []
    calls = []
  }
  const called = <Result>(put: (id: number) => void): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (end !== undefined) return reject(end)
      const id = nextId++
      // The thread answers a call with what its method gives.
      waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, since: ticks })
      put(id)
      if (!isDue) setImmediate(post)
      isDue = true
    })
  const take = (id: number): Waiting | undefined => {
    const caller = waiting.get(id)
    waiting.delete(id)
    return caller
  }
  const ended = (why: StoreError): void => {
    end ??= why
    for (const { reject } of waiting.values()) reject(why)
    waiting.clear()
  }
  // A call that was given up may still be carried out: of a unit it is then unknown whether it was written.
  const tick = (): void => {
    ticks++
    for (const [id, { reject, since }] of waiting) {
      if (ticks - since <= CALL_TICKS_MAX) return
      waiting.delete(id)
      reject(new StoreError('unavailable', 'the disk does not answer in time'))
    }
  }
  const clock = setInterval(tick, TICK_MS).unref()

  thread.on('message', ({ committed, answers, failures }: StoreAnswers) => {
    for (const id of committed) take(id)?.resolve(COMMITTED)
    for (const [id, result] of answers) take(id)?.resolve(result)
    for (const [id, error] of failures) take(id)?.reject(errorOf(error))
  })
  thread.on('error', (error) => ended(new StoreError('unavailable', 'the store ended', { cause: error })))
  thread.on('exit', () => ended(new StoreError('unavailable', 'the store ended')))

  const call = (method: StoreMethod, args: readonly unknown[]): Promise<unknown> =>
    called((id) => calls.push([id, method, args]))
  const commit = (unit: Unit): Promise<unknown> =>
    called((id) => {
      if (!putRecord(records, id, unit)) calls.push([id, 'commit', [unit]])
    })
  const close = async (): Promise<void> => {
    if (end !== undefined) return
    const settled = call('close', [])
    end = new StoreError('closed', 'the store is closed')
    await settled
    clearInterval(clock)
    await thread.terminate()
  }
  // Each method has the type that the interface gives it: the thread passes arguments and results on as they are.
  const methods = Object.fromEntries(
    STORE_METHODS.map((method) => [method, (...args: readonly unknown[]) => call(method, args)]),
  ) as unknown as Omit<Store, 'engine'>
  return { ...methods, commit: commit as Store['commit'], close, engine: 'sqlite' }
}
