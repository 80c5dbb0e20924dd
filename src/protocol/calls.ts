import {
  either,
  entries,
  flag,
  list,
  oneOf,
  optional,
  type Plain,
  record,
  tagged,
  text,
  textLike,
  wellFormed,
  whole,
} from '../trusted/base/plain.ts'
import { question } from './question.ts'
import {
  plainActivity,
  plainCharter,
  plainCharterOffer,
  plainEntry,
  plainJob,
  plainObject,
  ROWS_MAX,
} from './rows.ts'
import type { Answers } from '../trusted/catalogue/question.ts'
import type { ReplayedUsage } from '../trusted/catalogue/rehearsal.ts'
import type { Policy } from '../trusted/charter/charter.ts'

// The vault reads what the host says as it reads what a client says: an attacker who has got hold of the host, or misleads it by
// the database, may send anything. What a message may be is declared here once; its type is derived from that.

const BODY_CHARACTERS_MAX = 16 * 1024 * 1024
const CHARTERS_MAX = 100

const id = wellFormed(4_096)
const words = text(BODY_CHARACTERS_MAX)
const body = wellFormed(BODY_CHARACTERS_MAX)
const charters = list(plainCharterOffer, CHARTERS_MAX)

/** What the vault is told of a stamp: the header values as they came. */
export const stampHeaders = record({
  xStamp: optional(words),
  xStampWebauthn: optional(words),
  xStampAttested: optional(words),
  xSession: optional(words),
})

/** The row of a meter, which counts what the policies of an organization limit. */
export const meterId = record({ organizationId: id, objectId: id })

/** The meters that were looked for, and those that there are; and what the vault has asked for them with. */
export const broughtMeters = record({
  ids: list(meterId, ROWS_MAX),
  rows: list(plainObject, ROWS_MAX),
  asTheyStand: flag,
})

/** The rows that the activity said it needs, by the name of the need. */
const brought = {
  rows: entries(list(plainObject, ROWS_MAX), ROWS_MAX),
  taken: entries(list(words, ROWS_MAX), ROWS_MAX),
}

const answers: Plain<Answers> = list(
  record({
    question,
    answer: tagged('kind', { answered: { text: words }, failed: { why: words } }),
  }),
  ROWS_MAX,
)

export const decideRequest = record({
  /** The exact body: well-formed UTF-8, so that this text has the very bytes that were stamped. */
  body,
  stamp: stampHeaders,
  /** Where the request came from, for the lists of allowed addresses; absent for what the service itself submits. */
  clientAddress: optional(id),
  /** The sub-organization that is meant, where the body names its parent. */
  subOrganizationId: optional(id),
  charters,
  /** What came back for the questions of this request. */
  answers: optional(answers),
  /** The record of these same bytes, where there is one. */
  earlier: optional(plainActivity),
  /** For a vote: the record it is about. */
  target: optional(plainActivity),
  ...brought,
  meters: optional(broughtMeters),
  /** After a commit that met a claim of another object: those claims as they stand. Only a hint, like everything that is brought. */
  held: optional(list(plainEntry, ROWS_MAX)),
})

export const identifyRequest = record({
  body,
  stamp: stampHeaders,
  clientAddress: optional(id),
  organizationId: id,
  charters,
})

const tickets = list(whole(1), ROWS_MAX)

/** What became of units, by their tickets: written, certainly not written, or one of the two. */
export const settledUnits = record({ committed: tickets, dropped: tickets, unknown: tickets })

export const checkRequest = record({
  /** Without its body one is only compared with what is known to be the newest. */
  charters: list(plainCharterOffer, ROWS_MAX),
  activities: list(plainActivity, ROWS_MAX),
  objects: list(plainObject, ROWS_MAX),
})

/** Rows as they stand in a store or in a copy of one. */
export const verifyRequest = record({
  charters: list(plainCharter, ROWS_MAX),
  activities: list(plainActivity, ROWS_MAX),
  objects: list(plainObject, ROWS_MAX),
  jobs: list(plainJob, ROWS_MAX),
})

/** The key of a copy, by the text that is its own; under the newest version of the root key unless told. */
export const copyKeyRequest = record({ salt: body, version: optional(whole(1)) })

/** Of a store that was restored: its charters, when the copy was made, and until when the store that is lost may have served. */
export const announceRequest = record({
  charters: list(plainCharter, ROWS_MAX),
  copiedAt: whole(),
  lostAt: whole(),
})

/** Of a service whose root key was opened by its recovery: its charters, and what this root key has proven of it. */
export const announceRecoveryRequest = record({
  charters: list(plainCharter, ROWS_MAX),
  challenge: body,
  proof: body,
})

/** Of an organization with an attempt to recover it under way. */
export const heartbeatRequest = record({ charter: plainCharter })

export const establishRequest = record({
  organizationName: words,
  userName: words,
  apiKeyName: words,
  publicKey: words,
  curveType: words,
})

export const webhookRequest = record({
  /** The record as it stands now. */
  row: plainActivity,
  /** The state that is told: the record as it was at this revision. */
  revision: whole(1),
  eventId: id,
  timestampMs: whole(),
})

export const challenge = body

/** What `proveRoot` answered to a challenge, now or at an earlier start. */
export const rootProofRequest = record({ challenge, proof: body })

const instant = whole(Number.MIN_SAFE_INTEGER)
const CASES_MAX = 10_000

const policy: Plain<Policy> = record({
  policyId: id,
  policyName: words,
  effect: oneOf(['EFFECT_ALLOW', 'EFFECT_DENY']),
  condition: optional(words),
  consensus: optional(words),
  time: optional(words),
  notes: words,
  createdAt: instant,
  updatedAt: instant,
})

const replayedMeters = list(
  record({
    meterId: textLike(/^[0-9a-f]{64}$/, '64 hex digits'),
    windowMs: whole(1),
    slots: list(
      record({ slot: instant, amount: textLike(/^(0|[1-9]\d{0,99})$/, 'an amount in digits') }),
      ROWS_MAX,
    ),
  }),
  ROWS_MAX,
)

/** What a replay has counted so far. */
export const replayedUsage: Plain<ReplayedUsage> = record({ now: replayedMeters, draft: replayedMeters })

export const rehearseRequest = record({
  organizationId: id,
  charters,
  meters: optional(broughtMeters),
  /** Policies to judge by as well. */
  draft: optional(record({ put: list(policy, CASES_MAX), remove: list(id, CASES_MAX) })),
  explain: flag,
  usage: either(oneOf(['metered']), replayedUsage),
  cases: list(
    record({
      body: words,
      approvers: list(record({ userId: words, publicKey: optional(words) }), CASES_MAX),
      at: optional(instant),
      wasCarriedOut: optional(flag),
      ...brought,
    }),
    CASES_MAX,
  ),
})
