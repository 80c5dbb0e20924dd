import type { Ms } from '../../base/world.ts'
import type { CharterRow } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { fitsCharter, openCharter } from '../seals/seals.ts'
import type { VaultContext } from '../vault-context.ts'

/**
 * Opens a charter, and notes its state: no older one is believed from here on. A deletion that a host has kept back,
 * and erases by, has happened as far as this vault remembers.
 *
 * @throws Tampered, UnknownRootVersion, Older
 */
export function seeCharter(
  { keyring, memory }: Pick<VaultContext, 'keyring' | 'memory'>,
  row: CharterRow,
  now: Ms,
): Charter {
  const charter = openCharter(keyring, row)
  memory.seeCharter(charter, row.seal, now, (known) => fitsCharter(keyring, row, known))
  return charter
}
