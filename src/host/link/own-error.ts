import { Bug } from '../../trusted/base/assert.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { VaultError, VaultUnavailable } from './vault-link.ts'

/**
 * Whether the vault has ended a call with this error, such as for a row that it did not seal: asking again gives the
 * same. A vault in this process throws the error itself; over the socket only its text arrives.
 */
export function isOwnError(error: unknown): boolean {
  if (error instanceof VaultUnavailable) return false
  return error instanceof VaultError || error instanceof Bug || error instanceof Failure
}
