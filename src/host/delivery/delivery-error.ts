/**
 * Why a message was not taken. `permanent`: the same message will never be; `temporary`: it may be later, and it is
 * possible that it was taken all the same. The text names no recipient and no content.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly kind: 'permanent' | 'temporary'

  constructor(kind: 'permanent' | 'temporary', message: string) {
    super(message)
    this.kind = kind
  }
}
