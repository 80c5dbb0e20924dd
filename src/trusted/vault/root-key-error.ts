/** Why a root key cannot be used, in words for the operator. */
export class RootKeyError extends Error {
  override readonly name = 'RootKeyError'
}
