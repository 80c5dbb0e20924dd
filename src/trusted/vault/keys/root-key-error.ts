/** The reason why a root key cannot be used, worded for the operator. */
export class RootKeyError extends Error {
  override readonly name = 'RootKeyError'
}
