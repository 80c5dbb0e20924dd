import type { Ms } from '../../base/world.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { checkActivity, fitsActivity } from '../seals/seals.ts'
import type { VaultContext } from '../vault-context.ts'

/**
 * Checks a record before something is erased from it: an older state, resealed, would bring back what the newer one no
 * longer has.
 *
 * @throws Tampered, Older
 */
export function checkPresentRecord(
  { keyring, memory }: Pick<VaultContext, 'keyring' | 'memory'>,
  row: ActivityRow,
  now: Ms,
): void {
  checkActivity(keyring, row)
  memory.records.check(row.activityId, row, now, (known) => fitsActivity(keyring, row, known))
}
