import type { ActivityRow, Unit } from '../../trusted/catalogue/unit.ts'

/**
 * A unit that only inserts a new activity, as signing makes it: by far the most common case, which both engines write
 * in bulk. It may have an audience, because the store itself writes webhooks.
 */
export type RecordOnly = {
  readonly guards: Unit['guards']
  readonly row: ActivityRow
  readonly audience: readonly string[]
}

export function recordOnly(unit: Unit): RecordOnly | undefined {
  const { guards, charters, objectGuards, activity, objects, jobs, claims, directory } = unit
  if (activity === undefined || activity.replaces !== null || unit.revived !== undefined) return undefined
  const rest =
    charters.length +
    objectGuards.length +
    objects.put.length +
    objects.remove.length +
    jobs.length +
    claims.put.length +
    claims.remove.length +
    directory.put.length +
    directory.remove.length
  return rest === 0 ? { guards, row: activity.row, audience: activity.audience } : undefined
}
