import { Worker } from 'node:worker_threads'
import { ownModule } from '../link/own-module.ts'
import type { Log } from './log.ts'

const BEAT_MS = 250

/**
 * Starts a thread that checks whether the event loop of this one turns. The embedded store writes on this loop. If the
 * disk hangs without an error, the loop stops: no request is answered, not even `/readyz`, and this thread could not
 * write the reason to the log.
 */
export function watchForStalls(log: Log): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const watcher = new Worker(ownModule('./stall-watcher.ts', import.meta.url), {
    workerData: { beats, pid: process.pid },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  watcher.unref()
  watcher.on('error', (error) => log('error', 'stall watch ended', { detail: error.message }))
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
}
