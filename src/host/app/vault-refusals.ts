import { WrongRootKey } from '../rotation/root-proof.ts'
import type { Log } from './log.ts'

/**
 * Tells that a vault has come back and is not accepted. The attempts continue, and repeated failures are not news until
 * the right vault comes.
 */
export function vaultRefusals(log: Log, onTrouble: (error: unknown) => void): (error: unknown) => void {
  let told: string | undefined
  return (error) => {
    if (!(error instanceof WrongRootKey)) return onTrouble(error)
    if (told !== error.message) log('error', 'vault not accepted', { detail: error.message })
    told = error.message
  }
}
