import type { ActivityStatus } from '../../../trusted/catalogue/unit.ts'

/** Filters that the tests list activities under. */
export const STATUSES: readonly ActivityStatus[] = [
  'ACTIVITY_STATUS_COMPLETED',
  'ACTIVITY_STATUS_FAILED',
  'ACTIVITY_STATUS_CONSENSUS_NEEDED',
]

export const TYPES: readonly string[] = [
  'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  'ACTIVITY_TYPE_CREATE_USERS_V4',
  'ACTIVITY_TYPE_CREATE_POLICY_V3',
]

/** No filter, an empty one, and every combination of one or more. */
export function subsets<T>(list: readonly T[]): readonly (readonly T[] | undefined)[] {
  const all = Array.from({ length: 2 ** list.length }, (_, bits) => list.filter((_, at) => (bits >> at) & 1))
  return [undefined, ...all]
}
