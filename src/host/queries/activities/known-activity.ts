import { defineFailure, NOT_FOUND } from '../../../trusted/base/failure.ts'
import type { Reader } from '../../../trusted/catalogue/query.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'

const activityNotFound = defineFailure<{
  readonly activityId: string
  readonly organizationId: string
}>({
  kind: 'activityNotFound',
  code: NOT_FOUND,
  say: ({ activityId, organizationId }) =>
    `unable to find activity ${activityId} in organization ${organizationId}`,
})

export async function knownActivity(reader: Reader, activityId: string): Promise<ActivityRow> {
  const row = await reader.activity(activityId)
  if (row === undefined) throw activityNotFound({ activityId, organizationId: reader.charter.organizationId })
  return row
}
