/** The server was started in a way that it does not understand, or with a key that it does not take. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What was wrong is an option of the command line. */
export class ArgumentError extends UsageError {}
