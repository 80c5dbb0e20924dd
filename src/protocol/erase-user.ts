import { list, nullable, optional, record, text, wellFormed, whole } from '../trusted/base/plain.ts'
import { COLUMN_CHARACTERS_MAX, plainActivity, plainCharter, ROWS_MAX } from './rows.ts'

const ID_CHARACTERS_MAX = 36

/** Removes the data of a deleted user from records of an existing organization. */
export const eraseUserRequest = record({
  userId: text(ID_CHARACTERS_MAX),
  charter: plainCharter,
  /** The charter of its parent, where the records include those of the parent. */
  parent: optional(plainCharter),
  /** The organization's record of the deletion of the user. */
  deletion: plainActivity,
  /**
   * Records that have contacts of the user under the user's id; these contacts identify the user in requests without an
   * id.
   */
  sayings: list(plainActivity, ROWS_MAX),
  /** Contacts of the user that others may have too: they do not identify the user in the parent's requests. */
  shared: list(wellFormed(COLUMN_CHARACTERS_MAX), ROWS_MAX),
  /** Records of any organization. */
  activities: list(plainActivity, ROWS_MAX),
})

export const userErasures = {
  /** The same records; null for a record that stays unchanged, because it has no data of the user or is not settled. */
  erased: { activities: list(nullable(plainActivity), ROWS_MAX) },
  /** The user still exists in the organization. */
  member: {},
  /** The brought record is not a deletion of this user, or the charter is from before the deletion. */
  unproven: {},
  /** A request of the user may still be repeated until then. */
  live: { until: whole() },
}
