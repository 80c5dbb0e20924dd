import type { Share } from '../../trusted/base/fair-turns.ts'
import type { Unit } from '../../trusted/catalogue/unit.ts'
import { tenantOf } from './tenant-of.ts'

/**
 * A commit takes 256 rows, and a megabyte at most, because bytes are counted as rows too: it occupies the thread for as
 * long as the disk takes.
 */
const CHARACTERS_PER_ROW = 4 * 1024

/**
 * The owner of a unit, which is the top-level organization, and the cost of writing it: its rows, and one more for each
 * 4 kB.
 */
export function shareOf(unit: Unit): Share {
  const { activity, charters, objects, jobs, claims, directory } = unit
  const lines =
    jobs.length +
    claims.put.length +
    claims.remove.length +
    directory.put.length +
    directory.remove.length +
    objects.remove.length
  const put = objects.put.reduce((sum, { body }) => sum + costOf(body.length), 0)
  const amended = charters.reduce((sum, { body }) => sum + costOf(body.length), 0)
  const record =
    activity === undefined ? 0 : costOf(activity.row.votes.length + (activity.row.result?.length ?? 0))
  return { flow: tenantOf(activity, ''), cost: record + amended + put + lines }
}

function costOf(characters: number): number {
  return 1 + Math.floor(characters / CHARACTERS_PER_ROW)
}
