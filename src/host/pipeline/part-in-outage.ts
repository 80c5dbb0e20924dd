import { ArchiveUnavailable } from '../copies/archives/archive-unavailable.ts'
import { isStoreOutage } from '../store/outage.ts'
import { VaultUnavailable } from '../link/vault-link.ts'

/** The parts that the host needs for all or some of its work. */
export type Part = 'store' | 'vault' | 'archives'

/** The part that does not work, if the error is about an outage; any other error is a bug. */
export function partInOutage(error: unknown): Part | undefined {
  if (error instanceof VaultUnavailable) return 'vault'
  if (error instanceof ArchiveUnavailable) return 'archives'
  return isStoreOutage(error) ? 'store' : undefined
}
