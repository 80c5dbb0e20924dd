// The thread that checks whether the event loop of the host turns. It writes to the log itself, because the main thread
// cannot at that time.
import { existsSync, readFileSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { jsonLog } from './log.ts'
import { stallLooks } from './stall-looks.ts'

const LOOK_EVERY_MS = 1_000
const STANDARD_OUTPUT = 1

// The arguments from `watchForStalls`.
const { beats, pid } = workerData as { readonly beats: Int32Array; readonly pid: number }
const look = stallLooks({
  beat: () => Atomics.load(beats, 0),
  isComputing,
  log: jsonLog((line) => writeSync(STANDARD_OUTPUT, line), Date.now),
})
setInterval(look, LOOK_EVERY_MS)

/** Whether the main thread of the process is on a processor; undefined if the system does not say. */
function isComputing(): boolean | undefined {
  const stat = `/proc/${pid}/task/${pid}/stat`
  if (!existsSync(stat)) return undefined
  const text = readFileSync(stat, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).startsWith('R')
}
