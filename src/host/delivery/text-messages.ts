/** A provider of text messages. */
export type TextMessages = {
  /**
   * Resolves when the provider has taken the message, which is before it arrives.
   *
   * @throws DeliveryError
   */
  readonly send: (message: OutgoingText) => Promise<void>
}

export type OutgoingText = {
  /** E.164. */
  readonly to: string
  readonly text: string
  /** The same for every attempt at the same message, for providers that recognise a repeat. */
  readonly reference: string
}
