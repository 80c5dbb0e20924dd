import type { CheckRequest, Vault } from '../../protocol/vault.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import type { Store } from '../store/store.ts'
import { Rereading } from './rereading.ts'

const NOTHING: CheckRequest = { charters: [], activities: [], objects: [] }

/**
 * The rows that were read, after the vault has verified their seals and that none is older than a state that it knows.
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

/**
 * The same for records. Rows that a failover could still undo are not shown to the vault, because it remembers the rows
 * that it was shown. Missing rows are confirmed too: an old primary lacks what its successor has acknowledged.
 */
export async function checkedRecords(
  { vault, store }: { readonly vault: Pick<Vault, 'check'>; readonly store: Pick<Store, 'confirmer'> },
  read: () => Promise<readonly ActivityRow[]>,
): Promise<readonly ActivityRow[]> {
  const confirmed = async (): Promise<readonly ActivityRow[]> => {
    const confirm = store.confirmer()
    const rows = await read()
    await confirm()
    return rows
  }
  return await checkedRead(vault, confirmed, (activities) => ({ activities }))
}
