import type { IncomingMessage } from 'node:http'
import type { ErrorBody } from '../../trusted/base/failure.ts'
import type { StampHeaders } from '../../protocol/vault.ts'
import type { Watch } from '../pipeline/watch.ts'

type Headers = Readonly<Record<string, string>>

/** What a route answers: JSON text of a success, or an error body; plain text for what is not JSON. */
export type Answer = (
  | {
      readonly kind: 'ok'
      readonly body: string
      readonly contentType?: string
      readonly maxAgeSeconds?: number
      /** Writes the body once the head is on its way, for as long as there is something to tell. */
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
  /** Of the socket, or what a trusted proxy told of it. */
  readonly clientAddress: string
  /** As they came; a header sent twice is there twice. */
  readonly headers: IncomingMessage['headersDistinct']
  /** Where a log of requests is kept. */
  readonly watch?: Watch | undefined
}
export type Route = (call: Call) => Promise<Answer>

/** The body of an answer that goes on. */
export type Sink = {
  /** False where the reader is so far behind that the connection was ended. */
  readonly write: (text: string) => boolean
  readonly end: () => void
  /** Told once, when nobody reads any more, however that came to be. */
  readonly onClosed: (closed: () => void) => void
}
