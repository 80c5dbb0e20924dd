import { isObjects, type Needs, type ObjectsNeed } from '../../trusted/catalogue/objects.ts'

/** So few rows are read faster than a stamp is verified. */
const FEW_ROWS = 100

/** Whether these are more rows than are read for a sender who is not proven yet. */
export function needsManyRows(needs: Needs): boolean {
  return Object.values(needs).some((need) => isObjects(need) && mostRows(need) > FEW_ROWS)
}

/** What is found by a name and has no bound, such as the accounts of one address, is few by its nature. */
function mostRows({ by }: ObjectsNeed<unknown>): number {
  if ('ids' in by) return by.ids.length
  if ('everything' in by) return by.enough ?? Number.POSITIVE_INFINITY
  return 'entries' in by ? (by.enough ?? 0) : 0
}
