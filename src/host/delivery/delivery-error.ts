import type { Ms } from '../../trusted/base/world.ts'

/**
 * The reason why a message was not accepted. `permanent`: the same message will never be accepted. `temporary`: it may
 * be accepted later, and possibly it was accepted already. The text contains no recipient and no content.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly kind: 'permanent' | 'temporary'
  /** The wait that was asked for. */
  readonly retryAfterMs: Ms | undefined

  constructor(kind: 'permanent' | 'temporary', message: string, retryAfterMs?: Ms) {
    super(message)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}
