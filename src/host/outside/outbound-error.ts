/**
 * The reason why there is no usable answer.
 *
 * - `refusedTarget`: we do not send there; sending again changes nothing until the target changes
 * - `unreachable`: the name did not resolve, or no connection, or no trusted one, or it broke before an answer
 * - `timeout`: not done within the time of the whole request
 * - `tooLarge`: the answer has more bytes than allowed; its status was not looked at
 * - `badResponse`: what came back is not HTTP, is compressed, or ends too early
 */
export type OutboundErrorKind = 'refusedTarget' | 'unreachable' | 'timeout' | 'tooLarge' | 'badResponse'

/** Its message holds neither the URL nor what was sent or received: both may hold secrets. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly kind: OutboundErrorKind

  constructor(kind: OutboundErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

const UNUSABLE_ANSWER = /^HPE_/

/** What went wrong on the wire, as one of ours. */
export function outboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = codeOf(error)
  if (UNUSABLE_ANSWER.test(code)) return new OutboundError('badResponse', `the answer is not HTTP (${code})`)
  return new OutboundError('unreachable', `no connection (${code})`)
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unknown'
}
