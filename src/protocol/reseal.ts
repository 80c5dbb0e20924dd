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
/** It names a row by its key, which may be as long as any column. */
const place = wellFormed(COLUMN_CHARACTERS_MAX)

/** What a pass over all rows of a store has counted so far, as the vault says it: nobody else can write it. */
export const passCount = record({
  /** Chosen by the asker, so that the count of another pass is not taken for this one. */
  pass: word,
  /** The version that sealed when the pass began. */
  to: whole(1),
  /** Where in the store it has come to, in the host's words. */
  place,
  rows: whole(),
  /** Rows that were found under another version than `to`, by their own word. */
  found: list(record({ version: whole(1), rows: whole() }), ROWS_MAX),
  /** Rows that no vault takes, that open under no version that is held, or that this vault has seen in a later state. */
  unsealed: whole(),
  /** The version of the OAuth 2.0 key that was used when the pass began, and how many charters had a client secret under another. */
  secrets: optional(record({ to: whole(1), left: whole() })),
  seal: word,
})

export const resealRequest = record({
  pass: word,
  /** Of the pages before; absent for the first. */
  count: optional(passCount),
  /** Where in the store the next page begins. */
  place,
  /** The seals of rows that are under the version that seals already: these are only counted. */
  seals: list(wellFormed(COLUMN_CHARACTERS_MAX), ROWS_MAX),
  /** Rows of the page that are no rows by their shape, so that they cannot be shown. */
  unread: whole(),
  /** Charters of the page with client secrets, whatever they are sealed under. */
  withSecrets: list(plainCharter, ROWS_MAX),
  /** The other rows of the page. */
  charters: list(plainCharter, ROWS_MAX),
  activities: list(plainActivity, ROWS_MAX),
  objects: list(plainObject, ROWS_MAX),
  jobs: list(plainJob, ROWS_MAX),
})

/** For each row in order its new seal; null where it stays as it is. */
const newSeals = list(nullable(word), ROWS_MAX)

/** What else the vault answers: the version that seals is another by now, and the pass begins anew. */
export const reseals = {
  resealed: {
    count: passCount,
    charters: newSeals,
    activities: newSeals,
    objects: newSeals,
    jobs: newSeals,
    /** The charters whose client secrets were under another version of their key, each at its next version. */
    renewed: list(plainCharter, ROWS_MAX),
    /** What is wrong with each row that is not sealed. */
    troubles: list(wellFormed(16_384), ROWS_MAX),
  },
  otherPass: {},
}
