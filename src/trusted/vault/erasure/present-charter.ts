import type { Ms } from '../../base/world.ts'
import type { CharterRow } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { NO_EXPIRY } from '../memory/rollback-guard.ts'
import { fitsCharter, openCharter } from '../seals/seals.ts'
import type { VaultContext } from '../vault-context.ts'

/**
 * The charter by which something is erased. No older one is believed from here on: a deletion that a host has kept
 * back, and erases by, has happened as far as this vault remembers.
 *
 * @throws Tampered, Older
 */
export function presentCharter(
  { keyring, memory }: Pick<VaultContext, 'keyring' | 'memory'>,
  row: CharterRow,
  now: Ms,
): Charter {
  const charter = openCharter(keyring, row)
  const { organizationId, version: revision, seal } = row
  const state = { revision, seal, until: NO_EXPIRY }
  memory.charters.see(organizationId, state, now, (known) => fitsCharter(keyring, row, known))
  return charter
}
