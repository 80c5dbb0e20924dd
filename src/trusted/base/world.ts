/** Milliseconds since the Unix epoch. */
export type Ms = number

/** The only source of time and randomness; a test or a simulation hands in its own. */
export type World = {
  readonly now: () => Ms
  /** A monotonic clock, in milliseconds: setting the machine's clock does not change it. */
  readonly elapsed: () => Ms
  readonly randomBytes: (length: number) => Uint8Array
  /**
   * Absent where the randomness is the system's. A world from a seed gives each decision its own drawing
   * (docs/decisions/emulator.md).
   */
  readonly drawing?: () => Drawing
}

/** The purpose of the random bytes; the bytes of one purpose are independent of those of any other. */
export type DrawingPurpose = {
  readonly organizationId: string
  readonly userId: string
  readonly kind: string
}

/** The random bytes drawn by one decision, until its outcome is known. */
export type Drawing = {
  readonly at: (purpose: DrawingPurpose) => World['randomBytes']
  /** @param ticket  of the unit that was decided; undefined where the drawn bytes are discarded */
  readonly end: (ticket: number | undefined) => void
}
