/** Milliseconds since the Unix epoch. */
export type Ms = number

/** The only source of time and randomness; a test or a simulation hands in its own. */
export type World = {
  readonly now: () => Ms
  readonly randomBytes: (length: number) => Uint8Array
}
