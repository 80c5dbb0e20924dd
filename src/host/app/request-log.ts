import { closeSync, fstatSync, openSync, statSync, write } from 'node:fs'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { World } from '../../trusted/base/world.ts'
import type { Log } from './log.ts'

export type RequestLog = {
  readonly note: (line: string) => void
  /** Writes the remaining lines. */
  readonly close: () => Promise<void>
}

/** Takes a text; calls back after the write, or with its error. */
export type LineSink = {
  readonly write: (text: string, done: (error: unknown) => void) => void
  readonly close: () => void
}

/**
 * Lines for the log, written together, one write for each turn, after their answers. A request never waits for its
 * line: if writing fails, or is slower than the requests, lines are dropped and counted.
 */
export function openRequestLog(sink: LineSink, log: Log, pendingMax = PENDING_CHARACTERS_MAX): RequestLog {
  let pending = ''
  let isWriting = false
  let lost = 0
  let isFailing = false
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  const flush = (): void => {
    const text = pending
    const lines = () => text.split('\n').length - 1
    pending = ''
    sink.write(text, (error) => {
      if (error !== null && error !== undefined) failed(error, lines())
      else if (isFailing) recovered()
      if (pending !== '') setImmediate(flush)
      else {
        isWriting = false
        idle.resolve()
      }
    })
  }
  const failed = (error: unknown, lines: number): void => {
    lost += lines
    if (isFailing) return
    isFailing = true
    log('warn', 'request log fails', { detail: error instanceof Error ? error.message : String(error) })
  }
  const recovered = (): void => {
    isFailing = false
    log('warn', 'request log written again', { lost })
    lost = 0
  }
  return {
    note: (line) => {
      if (pending.length + line.length > pendingMax) {
        failed(new Error('requests arrive faster than their lines can be written'), 1)
        return
      }
      pending += line
      if (isWriting) return
      isWriting = true
      idle = Promise.withResolvers()
      setImmediate(flush)
    },
    close: async () => {
      await idle.promise
      sink.close()
    },
  }
}

const PENDING_CHARACTERS_MAX = 8 * 1024 * 1024

/** @param setting  `off`, `stdout`, or the path of a file */
export function requestLogOf(
  setting: string,
  log: Log,
  world: Pick<World, 'elapsed'> = realWorld,
): RequestLog | undefined {
  if (setting === 'off') return undefined
  return openRequestLog(setting === 'stdout' ? outputSink() : fileSink(setting, world), log)
}

/** The standard output, which the log of events uses as well. */
function outputSink(): LineSink {
  return { write: (text, done) => void process.stdout.write(text, done), close: () => {} }
}

/** A file that only its owner can read. After a rename, as for rotation, a new file is begun. */
function fileSink(path: string, { elapsed }: Pick<World, 'elapsed'>): LineSink {
  const open = (): number => openSync(path, 'a', 0o600)
  let descriptor = open()
  let lookedAt = elapsed()
  const reopened = (): number => {
    if (elapsed() - lookedAt < LOOK_EVERY_MS) return descriptor
    lookedAt = elapsed()
    const there = statSync(path, { throwIfNoEntry: false })
    const { dev, ino } = fstatSync(descriptor)
    if (there?.ino === ino && there.dev === dev) return descriptor
    const next = open()
    closeSync(descriptor)
    descriptor = next
    return descriptor
  }
  const writeAll = (bytes: Buffer, done: (error: unknown) => void): void => {
    write(descriptor, bytes, (error, written) => {
      if (error !== null || written === bytes.length) done(error)
      else writeAll(bytes.subarray(written), done)
    })
  }
  return {
    write: (text, done) => {
      try {
        reopened()
      } catch (error) {
        done(error)
        return
      }
      writeAll(Buffer.from(text), done)
    },
    close: () => closeSync(descriptor),
  }
}

/** A renamed file still gets lines for this time. */
const LOOK_EVERY_MS = 1_000
