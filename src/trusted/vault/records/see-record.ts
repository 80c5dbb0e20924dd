import type { Ms } from '../../base/world.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { checkActivity, fitsActivity } from '../seals/seals.ts'
import type { VaultContext } from '../vault-context.ts'

/**
 * Verifies the seal of a record, and notes its state.
 *
 * @throws Tampered, UnknownRootVersion, Older
 */
export function seeRecord(
  { keyring, memory }: Pick<VaultContext, 'keyring' | 'memory'>,
  row: ActivityRow,
  now: Ms,
): void {
  checkActivity(keyring, row)
  memory.seeRecord(row, now, (seal) => fitsActivity(keyring, row, seal))
}
