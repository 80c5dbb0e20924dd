/** Milliseconds since the Unix epoch. */
export type Ms = number

/** The only source of time and randomness; a test or a simulation hands in its own. */
export type World = {
  readonly now: () => Ms
  /** Time that has passed since some moment: setting the clock of the machine, forward or back, changes nothing of it. */
  readonly elapsed: () => Ms
  readonly randomBytes: (length: number) => Uint8Array
  /** Absent where randomness is the system's. A world that follows from a seed gives each decision its own (docs/decisions/emulator.md). */
  readonly drawing?: () => Drawing
}

/** What is made: the random bytes of one thing have nothing to do with those of any other. */
export type Place = { readonly organizationId: string; readonly userId: string; readonly kind: string }

/** What one decision draws, until it is known whether anything came of it. */
export type Drawing = {
  readonly at: (place: Place) => World['randomBytes']
  /** @param ticket  of the unit that was decided; without one, nothing has been drawn */
  readonly end: (ticket: number | undefined) => void
}
