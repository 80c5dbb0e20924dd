import { list, nullable, optional, record, wellFormed, whole } from '../trusted/base/plain.ts'
import {
  COLUMN_CHARACTERS_MAX,
  plainActivity,
  plainCharter,
  plainJob,
  plainObject,
  ROWS_MAX,
} from './rows.ts'

const word = wellFormed(4_096)
/** A row's key, which may be as long as any column. */
const place = wellFormed(COLUMN_CHARACTERS_MAX)

/** The counts of a pass over all rows of a store so far, sealed by the vault, so that only the vault can write them. */
export const passCount = record({
  /** Chosen by the caller, so that the count of another pass is not mistaken for this one. */
  pass: word,
  /** The version that sealed when the pass began. */
  to: whole(1),
  /** The position in the store, in the host's format. */
  place,
  rows: whole(),
  /** Rows whose seals name another version than `to`. */
  found: list(record({ version: whole(1), rows: whole() }), ROWS_MAX),
  /** Rows that are malformed, that open under no held version, or that this vault has seen in a later state. */
  unsealed: whole(),
  /**
   * The version of the OAuth 2.0 key that was used when the pass began, and how many charters had a client secret under
   * another.
   */
  secrets: optional(record({ to: whole(1), left: whole() })),
  seal: word,
})

export const resealRequest = record({
  pass: word,
  /** The counts of the previous pages; absent for the first. */
  count: optional(passCount),
  /** Where in the store the next page begins. */
  place,
  /** The seals of rows that are already under the sealing version: these are only counted. */
  seals: list(wellFormed(COLUMN_CHARACTERS_MAX), ROWS_MAX),
  /** Rows of the page with an invalid shape, which cannot be sent. */
  unread: whole(),
  /** Charters of the page with client secrets, under any version. */
  withSecrets: list(plainCharter, ROWS_MAX),
  /** The other rows of the page. */
  charters: list(plainCharter, ROWS_MAX),
  activities: list(plainActivity, ROWS_MAX),
  objects: list(plainObject, ROWS_MAX),
  jobs: list(plainJob, ROWS_MAX),
})

/** The new seal of each row, in order; null where the row stays unchanged. */
const newSeals = list(nullable(word), ROWS_MAX)

/** The other answer of the vault: the sealing version has changed, and the pass restarts. */
export const reseals = {
  resealed: {
    count: passCount,
    charters: newSeals,
    activities: newSeals,
    objects: newSeals,
    jobs: newSeals,
    /** The charters whose client secrets were under another version of their key, each at its next version. */
    renewed: list(plainCharter, ROWS_MAX),
    /** The problem of each row that was not resealed. */
    troubles: list(wellFormed(16_384), ROWS_MAX),
  },
  otherPass: {},
}
