import type { ActivityRow } from './unit.ts'

/**
 * What the seal of a record is over, and the order in which both stores are given it; written out because signing
 * passes here.
 */
export function recordValues(row: Omit<ActivityRow, 'seal'>): (string | number | null)[] {
  return [
    row.organizationId,
    row.activityId,
    row.fingerprint,
    row.timestampMs,
    row.type,
    row.status,
    row.awaited,
    row.revision,
    row.createdAt,
    row.updatedAt,
    row.intent,
    row.result,
    row.failure,
    row.votes,
    row.evaluations,
    row.voters,
  ]
}
