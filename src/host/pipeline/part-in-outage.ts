import { isStoreOutage } from '../store/outage.ts'
import { VaultUnavailable } from '../link/vault-link.ts'

/** What the host cannot do without. */
export type Part = 'store' | 'vault'

/** Which part does not work, where an error says that one does not; any other error is a bug. */
export function partInOutage(error: unknown): Part | undefined {
  if (error instanceof VaultUnavailable) return 'vault'
  return isStoreOutage(error) ? 'store' : undefined
}
