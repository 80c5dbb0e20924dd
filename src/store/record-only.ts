import type { ActivityRow, Unit } from '../catalogue/unit.ts'

/** A unit that does nothing but put down a new activity, as signing makes: the common case by far, which both engines write in bulk. */
export type RecordOnly = { readonly guards: Unit['guards']; readonly row: ActivityRow }

export function recordOnly(unit: Unit): RecordOnly | undefined {
  const { guards, charters, activity, objects, claims, directory } = unit
  if (activity === undefined || activity.replaces !== null) return undefined
  const changes =
    charters.length +
    objects.put.length +
    objects.remove.length +
    claims.put.length +
    claims.remove.length +
    directory.put.length +
    directory.remove.length
  return changes === 0 ? { guards, row: activity.row } : undefined
}
