/** A command understood what it was asked, and cannot do it as things are. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
