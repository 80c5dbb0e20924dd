import { parentPort, workerData } from 'node:worker_threads'
import { present } from '../../trusted/base/assert.ts'
import {
  COMMITTED,
  plainError,
  recordsIn,
  type StoreAnswers,
  type StoreCalls,
  type StoreOpened,
} from './embedded-messages.ts'
import { openSqlite } from './sqlite.ts'
import type { CommitResult, Store } from './store.ts'

// The thread of the embedded store: it opens the file, carries out calls as they come, and answers them many to a message.

const port = present(parentPort, 'the embedded store runs on a thread of its own')
// The thread is only started by `openEmbeddedStore`, with what `openSqlite` takes.
const store = opened(workerData as Parameters<typeof openSqlite>[0])
if (store !== undefined) serve(store)

function opened(settings: Parameters<typeof openSqlite>[0]): Store | undefined {
  try {
    const store = openSqlite(settings)
    port.postMessage({ opened: true } satisfies StoreOpened)
    return store
  } catch (error) {
    port.postMessage({ refused: plainError(error) } satisfies StoreOpened)
    return undefined
  }
}

function serve(store: Store): void {
  let outbox = emptyOutbox()
  let isDue = false
  const post = (): void => {
    isDue = false
    port.postMessage(outbox satisfies StoreAnswers)
    outbox = emptyOutbox()
  }
  // Answers to one commit come in one turn of promises: they go together, and before the next commit begins.
  const due = (): void => {
    if (!isDue) queueMicrotask(post)
    isDue = true
  }
  const answer = (id: number, result: unknown): void => {
    outbox.answers.push([id, result])
    due()
  }
  const commit = (id: number, result: CommitResult): void => {
    if (result.kind !== COMMITTED.kind) return answer(id, result)
    outbox.committed.push(id)
    due()
  }
  const fail = (id: number, error: unknown): void => {
    outbox.failures.push([id, plainError(error)])
    due()
  }
  port.on('message', ({ records, calls }: StoreCalls) => {
    for (const [id, unit] of recordsIn(records))
      store.commit(unit).then(
        (result) => commit(id, result),
        (error: unknown) => fail(id, error),
      )
    for (const [id, method, args] of calls) {
      // The other end is typed by the same interface: it gives a method what that method takes.
      const run = store[method] as (...args: readonly unknown[]) => Promise<unknown>
      run(...args).then(
        (result) => answer(id, result),
        (error: unknown) => fail(id, error),
      )
    }
  })
}

function emptyOutbox() {
  return {
    committed: [] as number[],
    answers: [] as [number, unknown][],
    failures: [] as [number, ReturnType<typeof plainError>][],
  }
}
