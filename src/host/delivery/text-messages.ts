/** A provider of text messages. */
export type TextMessages = {
  /**
   * Resolves when the provider has accepted the message, which is before it arrives.
   *
   * @throws DeliveryError
   */
  readonly send: (message: OutgoingText) => Promise<void>
}

export type OutgoingText = {
  /** E.164. */
  readonly to: string
  readonly text: string
  /** The same in every attempt at a message, for providers that recognise a repetition. */
  readonly reference: string
}
