import { parentPort, workerData } from 'node:worker_threads'
import { withSqliteLoader } from '../sqlite/loader.ts'
import { lookAtSqliteSchema } from '../sqlite/schema-look.ts'
import { withSqliteSnapshot } from '../sqlite/snapshot.ts'
import { openSqlite } from '../sqlite/sqlite.ts'

/** The ways to open the file of an embedded store. */
const WAYS = {
  store: (path: string) => openSqlite({ path, lockWaitMs: 60_000 }).close(),
  look: lookAtSqliteSchema,
  snapshot: (path: string) => withSqliteSnapshot(path, async () => undefined),
  loader: (path: string) => withSqliteLoader(path, async () => undefined),
}

// Run by a test as a thread of its own, which opens a file that the test holds: it says so before, and when it has.
const { way, path }: { readonly way: keyof typeof WAYS; readonly path: string } = workerData
parentPort?.postMessage('opens')
await WAYS[way](path)
parentPort?.postMessage('has opened')
