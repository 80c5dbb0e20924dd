import type { Ms } from '../../trusted/base/world.ts'
import type { Call } from '../http/route.ts'
import type { Json } from './emulated-user.ts'
import type { Fault } from './faults.ts'

/** A request of the interface, and its answer. */
export type LoggedRequest = {
  readonly at: Ms
  readonly method: string
  readonly path: string
  /** Parsed if it is JSON; otherwise the text. */
  readonly body: Json
  readonly status: number
  readonly answer: Json
  /** The fault of this request. */
  readonly fault?: Fault
}

export type RequestLog = {
  readonly note: (
    request: Pick<LoggedRequest, 'at' | 'method' | 'path'> & { readonly fault: Fault | undefined },
    call: Call,
    answer: { readonly status: number; readonly body: string },
  ) => void
  /** Oldest first; if there are very many, only the newest. */
  readonly requests: () => readonly LoggedRequest[]
  readonly clear: () => void
}

const KEPT_MAX = 1_000
const KEPT_BYTES_MAX = 64 * 1024 * 1024

export function openRequestLog(): RequestLog {
  const kept: { readonly read: () => LoggedRequest; readonly bytes: number }[] = []
  let keptBytes = 0
  return {
    note: ({ fault, ...request }, { body }, { status, body: answered }) => {
      // Parsed on demand: most requests are never looked at.
      const read = (): LoggedRequest => ({
        ...request,
        body: jsonOrText(Buffer.from(body).toString('utf8')),
        status,
        answer: jsonOrText(answered),
        ...(fault === undefined ? {} : { fault }),
      })
      const bytes = body.length + answered.length
      kept.push({ read, bytes })
      keptBytes += bytes
      while (kept.length > KEPT_MAX || (keptBytes > KEPT_BYTES_MAX && kept.length > 1))
        keptBytes -= kept.shift()?.bytes ?? 0
    },
    requests: () => kept.map(({ read }) => read()),
    clear: () => {
      kept.length = 0
      keptBytes = 0
    },
  }
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    // Text that is not JSON is shown unchanged.
    return text
  }
}
