import type { CheckRequest, Vault } from '../../protocol/vault.ts'
import { Rereading } from './rereading.ts'

const NOTHING: CheckRequest = { charters: [], activities: [], objects: [] }

/**
 * What was read, once the vault has found all of it to be its own, and none of it older than it knows.
 *
 * @throws Bug when it stays older
 */
export async function checkedRead<T>(
  vault: Pick<Vault, 'check'>,
  read: () => Promise<T>,
  rowsIn: (found: T) => Partial<CheckRequest>,
): Promise<T> {
  const rereading = new Rereading()
  for (;;) {
    const found = await read()
    const rows = { ...NOTHING, ...rowsIn(found) }
    if (Object.values(rows).every((list) => list.length === 0)) return found
    const checked = await vault.check(rows)
    if (checked.kind === 'checked') return found
    rereading.note(checked)
  }
}
