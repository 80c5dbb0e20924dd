import type { IncomingMessage } from 'node:http'
import type { ErrorBody } from '../../trusted/base/failure.ts'
import type { StampHeaders } from '../../protocol/vault.ts'
import type { Watch } from '../pipeline/watch.ts'

type Headers = Readonly<Record<string, string>>

/** The answer of a route: JSON text of a success, an error body, or plain text. */
export type Answer = (
  | {
      readonly kind: 'ok'
      readonly body: string
      readonly contentType?: string
      readonly maxAgeSeconds?: number
      /** Writes the body after the head was sent, as long as there is content. */
      readonly stream?: (sink: Sink) => void
      /** A whole Cache-Control, where an age alone does not say it. */
      readonly cacheControl?: string
    }
  | { readonly kind: 'error'; readonly error: ErrorBody; readonly status?: number }
) & {
  /** Names in lower case, beside those that every answer has. */
  readonly headers?: Headers
  /** What browsers are told of who may call, where that is not everybody. */
  readonly cors?: Headers
}

export type Call = {
  readonly body: Uint8Array
  readonly stamp: StampHeaders
  /** The address of the socket, or the one reported by a trusted proxy. */
  readonly clientAddress: string
  /** As they came; a header sent twice is there twice. */
  readonly headers: IncomingMessage['headersDistinct']
  /** Whether the connection has ended, so that nobody reads the answer. */
  readonly isGone?: () => boolean
  /** Where a log of requests is kept. */
  readonly watch?: Watch | undefined
}
export type Route = (call: Call) => Promise<Answer>

/** The body of an answer that goes on. */
export type Sink = {
  /** False where the connection was closed because the reader is too slow. */
  readonly write: (text: string) => boolean
  readonly end: () => void
  /** Called once, when the connection has ended for any reason. */
  readonly onClosed: (closed: () => void) => void
}
