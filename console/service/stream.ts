import { utf8 } from './bytes.ts'
import type { Stamper } from './stamp.ts'

/** Longer lines are of no service. */
const LINE_CHARACTERS_MAX = 1_000_000
/**
 * The service says every 15 seconds that it is still there. A connection that is silent for longer is dead: a laptop
 * has slept.
 */
const SILENT_MS_MAX = 60_000

/**
 * Reads the stream of changes of an organization until it ends or is stopped.
 *
 * @param onChange  is told that something is new or has changed, and not what
 * @returns         a promise that never fails
 */
export async function watched(
  organizationId: string,
  stamper: Stamper,
  { onChange, signal }: { readonly onChange: () => void; readonly signal: AbortSignal },
): Promise<void> {
  const connection = new AbortController()
  const end = (): void => connection.abort()
  let silence: ReturnType<typeof setTimeout> | undefined
  const heard = (): void => {
    clearTimeout(silence)
    silence = setTimeout(end, SILENT_MS_MAX)
  }
  signal.addEventListener('abort', end)
  heard()
  try {
    const body = utf8(JSON.stringify({ organizationId }))
    const [name, value] = await stamper(body)
    const response = await fetch('/public/v1/stream/activities', {
      method: 'POST',
      headers: { 'content-type': 'application/json', [name]: value },
      body,
      credentials: 'omit',
      redirect: 'error',
      signal: connection.signal,
    })
    if (!response.ok || response.body === null) return
    await readLines(response.body, heard, (line) => {
      if (line === 'event: activity' || line === 'event: reset') onChange()
    })
  } catch {
    // It was stopped, or the connection is gone: either way there is nothing more to read.
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', end)
  }
}

async function readLines(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
  onLine: (line: string) => void,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read()
    if (done) return
    heard()
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    if (rest.length > LINE_CHARACTERS_MAX) return await reader.cancel()
    lines.forEach(onLine)
  }
}
