/** The server was started in a way that it does not understand, or with a key that it does not take. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** An option of the command line is wrong. */
export class ArgumentError extends UsageError {}
