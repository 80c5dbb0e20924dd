import { lengthOf } from '../../protocol/frame-sender.ts'
import type { CheckRequest, Outdated, Vault } from '../../protocol/vault.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import type { Store } from '../store/store.ts'
import { Rereading } from './rereading.ts'

const NOTHING: CheckRequest = { charters: [], activities: [], objects: [] }

// The calls of all organizations wait for one another on the socket to the vault.
const CALL_ROWS_MAX = 500
const CALL_CHARACTERS_MAX = 256 * 1024

/**
 * The rows that were read, after the vault has verified their seals and that none is older than a state that it knows.
 *
 * @throws Bug when one stays older, or stays sealed under a version of the root key that the vault does not hold
 */
export async function checkedRead<T>(
  vault: Pick<Vault, 'check'>,
  read: () => Promise<T>,
  rowsIn: (found: T) => Partial<CheckRequest>,
): Promise<T> {
  const rereading = new Rereading()
  for (;;) {
    const found = await read()
    const outdated = await check(vault, rowsIn(found))
    if (outdated === undefined) return found
    rereading.note(outdated)
  }
}

async function check(
  vault: Pick<Vault, 'check'>,
  { charters = [], activities = [], objects = [] }: Partial<CheckRequest>,
): Promise<Outdated | undefined> {
  const calls = [
    ...inCalls(charters, (some) => ({ ...NOTHING, charters: some })),
    ...inCalls(activities, (some) => ({ ...NOTHING, activities: some })),
    ...inCalls(objects, (some) => ({ ...NOTHING, objects: some })),
  ]
  for (const call of calls) {
    const answer = await vault.check(call)
    if (answer.kind !== 'checked') return answer
  }
  return undefined
}

/** All rows in order; a row above the limit of a call is alone in its own. */
function inCalls<Row>(
  rows: readonly Row[],
  callFor: (rows: readonly Row[]) => CheckRequest,
): readonly CheckRequest[] {
  const calls: Row[][] = []
  let characters = 0
  for (const row of rows) {
    const length = lengthOf(row)
    const call = calls.at(-1)
    if (call === undefined || call.length === CALL_ROWS_MAX || characters + length > CALL_CHARACTERS_MAX) {
      calls.push([row])
      characters = length
    } else {
      call.push(row)
      characters += length
    }
  }
  return calls.map(callFor)
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
