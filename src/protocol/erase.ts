import { list, nullable, optional, record, whole } from '../trusted/base/plain.ts'
import { plainActivity, plainCharter, ROWS_MAX } from './rows.ts'

/** Rows of an organization that was deleted, by its charter. */
export const eraseRequest = record({
  charter: plainCharter,
  /** Records of it. */
  activities: list(plainActivity, ROWS_MAX),
  /** The record of its parent by which it was made. */
  founding: optional(plainActivity),
})

export const erasures = {
  /** The same rows without what was in them; null where a row has nothing left, and stays as it is. */
  erased: {
    charter: nullable(plainCharter),
    activities: list(nullable(plainActivity), ROWS_MAX),
    founding: nullable(plainActivity),
  },
  /** The organization is not deleted. */
  living: {},
  /** Its last request may still be repeated, and is answered until then. */
  live: { until: whole() },
}
