/** A command understood its arguments, and the present state of the service or of its files does not allow it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
