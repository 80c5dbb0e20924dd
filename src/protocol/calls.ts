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

// The vault checks the host's calls like requests of clients: an attacker who controls the host, or misleads it through
// the database, may send anything. Each message is declared here once; its type is derived from the declaration.

const BODY_CHARACTERS_MAX = 16 * 1024 * 1024
const CHARTERS_MAX = 100

const id = wellFormed(4_096)
const words = text(BODY_CHARACTERS_MAX)
const body = wellFormed(BODY_CHARACTERS_MAX)
const charters = list(plainCharterOffer, CHARTERS_MAX)

/** The stamp for the vault: the header values as received. */
export const stampHeaders = record({
  xStamp: optional(words),
  xStampWebauthn: optional(words),
  xStampAttested: optional(words),
  xSession: optional(words),
})

/** The row of a meter, which counts what the policies of an organization limit. */
export const meterId = record({ organizationId: id, objectId: id })

/** The meters that were looked up, the existing ones, and the form in which the vault requested them. */
export const broughtMeters = record({
  ids: list(meterId, ROWS_MAX),
  rows: list(plainObject, ROWS_MAX),
  asTheyStand: flag,
})

/** The rows for the needs of the activity, by the name of the need. */
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
  /** The exact body: well-formed UTF-8, so that this text has exactly the stamped bytes. */
  body,
  stamp: stampHeaders,
  /** The source address of the request, for IP allowlists; absent for requests by the service itself. */
  clientAddress: optional(id),
  /** The intended sub-organization, where the body names its parent. */
  subOrganizationId: optional(id),
  charters,
  /** The answers to the questions of this request. */
  answers: optional(answers),
  /** The record of these same bytes, where there is one. */
  earlier: optional(plainActivity),
  /** For a vote: the record of its activity. */
  target: optional(plainActivity),
  ...brought,
  meters: optional(broughtMeters),
  /**
   * After a commit that failed because of a claim of another object: these claims as they stand. Only a hint, like all
   * brought data.
   */
  held: optional(list(plainEntry, ROWS_MAX)),
})

export const identifyRequest = record({
  body,
  stamp: stampHeaders,
  clientAddress: optional(id),
  organizationId: id,
  charters,
  /** The query may be stamped with a token; left out where it may not. */
  attestable: optional(flag),
  /** The answers to the questions about that token. */
  answers: optional(answers),
})

const tickets = list(whole(1), ROWS_MAX)

/** The outcome of units, by ticket: written, certainly not written, or unknown. */
export const settledUnits = record({ committed: tickets, dropped: tickets, unknown: tickets })

export const checkRequest = record({
  /** A charter without its body is only compared with the newest known state. */
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

/** The key of a copy, by its salt; under the newest version of the root key by default. */
export const copyKeyRequest = record({ salt: body, version: optional(whole(1)) })

/**
 * For a restored store: its charters, the time of the copy, and the time until which the lost store may have served
 * requests.
 */
export const announceRequest = record({
  charters: list(plainCharter, ROWS_MAX),
  copiedAt: whole(),
  lostAt: whole(),
})

/** For a service whose root key was opened by its recovery: its charters, and the proof by this root key. */
export const announceRecoveryRequest = record({
  charters: list(plainCharter, ROWS_MAX),
  challenge: body,
  proof: body,
})

/** For an organization with a recovery attempt under way. */
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
  /** The revision of the record to send. */
  revision: whole(1),
  eventId: id,
  timestampMs: whole(),
})

export const challenge = body

/** The answer of `proveRoot` to a challenge, now or at an earlier start. */
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

/** The usage that a replay has counted so far. */
export const replayedUsage: Plain<ReplayedUsage> = record({ now: replayedMeters, draft: replayedMeters })

export const rehearseRequest = record({
  organizationId: id,
  charters,
  meters: optional(broughtMeters),
  /** A draft of policies, for a second judgement. */
  draft: optional(record({ put: list(policy, CASES_MAX), remove: list(id, CASES_MAX) })),
  explain: flag,
  usage: either(oneOf(['metered']), replayedUsage),
  cases: list(
    record({
      body: words,
      approvers: list(
        record({ userId: words, publicKey: optional(words), castAt: optional(instant) }),
        CASES_MAX,
      ),
      at: optional(instant),
      wasCarriedOut: optional(flag),
      ...brought,
    }),
    CASES_MAX,
  ),
})
