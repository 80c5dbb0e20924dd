import { ArchiveUnavailable } from '../copies/archives/archive-unavailable.ts'
import { isStoreOutage } from '../store/outage.ts'
import { VaultUnavailable } from '../link/vault-link.ts'

/** What the host cannot do without, or not everything. */
export type Part = 'store' | 'vault' | 'archives'

/** Which part does not work, where an error says that one does not; any other error is a bug. */
export function partInOutage(error: unknown): Part | undefined {
  if (error instanceof VaultUnavailable) return 'vault'
  if (error instanceof ArchiveUnavailable) return 'archives'
  return isStoreOutage(error) ? 'store' : undefined
}
