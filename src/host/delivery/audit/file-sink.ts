import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AuditEvent } from './audit-event.ts'
import type { AuditSink } from './audit-sink.ts'

/**
 * Lines at the end of a file that only its owner can read, synced before they count as delivered. The file is opened
 * again each time, so a rename rotates it, and the name of an empty one is synced before it has a line. An incomplete
 * line, which a full disk or a killed process leaves, is ended before the next one.
 */
export function fileSink(path: string): AuditSink {
  let isWriting = false
  return async (events) => {
    // A disk that hangs keeps one of the few threads for files. The attempt after the lease must not take another one.
    if (isWriting) throw new Error('the disk of the audit stream has not finished the lines before')
    isWriting = true
    try {
      await append(path, events)
    } finally {
      isWriting = false
    }
  }
}

async function append(path: string, events: readonly AuditEvent[]): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const last = Buffer.alloc(1)
    if (size === 0) await syncFolder(dirname(path))
    else await file.read(last, 0, 1, size - 1)
    const isWhole = size === 0 || last.toString() === '\n'
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    await file.appendFile(isWhole ? text : `\n${text}`)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** The thread of the requests does not wait for it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
