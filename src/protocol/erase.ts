import { list, nullable, optional, record, whole } from '../trusted/base/plain.ts'
import { plainActivity, plainCharter, ROWS_MAX } from './rows.ts'

/** Rows of an organization that was deleted, by its charter. */
export const eraseRequest = record({
  charter: plainCharter,
  /** Records of it. */
  activities: list(plainActivity, ROWS_MAX),
  /** The record of its parent that created it. */
  founding: optional(plainActivity),
})

export const erasures = {
  /** The same rows without their content; null for a row that was already erased and stays unchanged. */
  erased: {
    charter: nullable(plainCharter),
    activities: list(nullable(plainActivity), ROWS_MAX),
    founding: nullable(plainActivity),
  },
  /** The organization is not deleted. */
  living: {},
  /** Until then its last request may still be repeated, and is answered. */
  live: { until: whole() },
}
