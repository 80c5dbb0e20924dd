import { type ErrorBody, GRPC_CODES } from '../trusted/base/failure.ts'
import {
  entries,
  flag,
  list,
  nameIn,
  oneOf,
  openRecord,
  optional,
  type Plain,
  record,
  tagged,
  text,
  whole,
} from '../trusted/base/plain.ts'
import { type EmailMessage, type Message, RECOVERY_STATES } from '../trusted/catalogue/message.ts'
import type { RehearsedCase } from '../trusted/catalogue/rehearsal.ts'
import { meterId, replayedUsage } from './calls.ts'
import { judgement } from './judgement.ts'
import { question } from './question.ts'
import { PUBLIC_PURPOSES, SERVICE_PURPOSES, SERVICE_STATES } from '../trusted/catalogue/service-purposes.ts'
import { erasures } from './erase.ts'
import { userErasures } from './erase-user.ts'
import { reseals } from './reseal.ts'
import { plainActivity, plainEntry, plainJob, plainUnit, ROWS_MAX } from './rows.ts'

// The host checks the vault's answers with shapes, as the vault checks the host's calls. No decision depends on this,
// since the vault could sign anything. But a malformed answer is detected here, before it is stored or sent.

const CHARACTERS_MAX = 128 * 1024 * 1024

const words = text(CHARACTERS_MAX)
const ids = list(words, ROWS_MAX)

const error: Plain<ErrorBody> = record({
  code: oneOf(GRPC_CODES),
  message: words,
  details: list(openRecord({ '@type': words }), ROWS_MAX),
  turnkeyErrorCode: optional(words),
})

/** The vault's cost of the call, for every outcome; the host uses it for turns and limits. */
const cost = { cost: whole() }

const refused = { error }
/**
 * The id of the stamp's credential in the charter, if the credential is long-lived, to record the day of its last use.
 */
const stampedWith = { credentialId: optional(words) }
/** The host must bring these charters whole, and call again. */
const needs = { charters: ids }
/** The host must find the answers to these questions, and call again with them. */
const asks = { questions: list(question, ROWS_MAX) }
/**
 * The host must bring these meters, and call again. `asTheyStand`: the decision would depend on units under way, and
 * must be made on committed meters.
 */
const meters = { ids: list(meterId, ROWS_MAX), asTheyStand: flag }
/**
 * The brought data is older than the committed state that this vault knows: the host must read it again, and call
 * again. If a read that began after this answer returns the same, the data was rolled back.
 */
const outdated = { what: words }

/** A decided unit. The host reports its outcome with the next message, under its ticket. */
const ticketed = { unit: plainUnit, ticket: whole(1) }

export const decisions = {
  /** The host must write this unit; once it is durable, the answer to the client is its activity, or the error. */
  commit: {
    userId: words,
    /** The organization of the user: that of the record, or its parent. */
    homeId: words,
    ...stampedWith,
    error: optional(error),
    /** The result for its owner, returned only once, where the record keeps less. */
    answer: optional(words),
    ...ticketed,
  },
  /** Nothing changes: the answer is this record as it stands, or the error. */
  settled: { row: plainActivity, userId: words, error: optional(error) },
  refused,
  needs,
  meters,
  asks,
  outdated,
  /**
   * The unit of this ticket writes the same objects: the host must call again once it has ended. Without a ticket, the
   * unit is another host's.
   */
  underWay: { ticket: optional(whole(1)) },
}

export const decision = tagged('kind', decisions, cost)

/** The signer of a query, in the current charter of their own organization. */
const signer = {
  userId: words,
  userName: words,
  organizationId: words,
  organizationName: words,
  ...stampedWith,
  /** Where a token stamps the query, the key that it proves: it reads only records of what this key has stamped. */
  tokenKey: optional(words),
}

export const identifications = { signer, refused, needs, asks, outdated }

export const identified = tagged('kind', identifications, cost)

export const checks = { checked: {}, outdated }

export const checked = tagged('kind', checks, cost)

export const established = record({ organizationId: words, userId: words, ...ticketed })

const emailCustomization = record({
  appName: optional(words),
  logoUrl: optional(words),
  magicLinkTemplate: optional(words),
  templateVariables: optional(entries(words, ROWS_MAX)),
  templateId: optional(words),
})

export const message: Plain<Message> = tagged('channel', {
  email: {
    about: nameIn<EmailMessage['about']>({
      otp: true,
      emailAuth: true,
      recovery: true,
      invitation: true,
      restored: true,
      recovered: true,
      organizationRecovery: true,
    }),
    to: words,
    code: optional(words),
    bundle: optional(words),
    restored: optional(record({ copiedAt: whole(), lostAt: whole() })),
    recoveredAt: optional(whole()),
    organizationRecovery: optional(
      record({
        state: oneOf(RECOVERY_STATES),
        attemptId: words,
        hoursLeft: whole(),
        userNames: list(words, ROWS_MAX),
      }),
    ),
    organizationName: words,
    expiresAt: optional(whole()),
    customization: emailCustomization,
    sender: record({ fromAddress: optional(words), fromName: optional(words), replyTo: optional(words) }),
  },
  sms: {
    about: oneOf(['otp']),
    to: words,
    code: words,
    expiresAt: whole(),
    appName: optional(words),
    template: optional(words),
  },
})

/** A webhook ready to be sent. */
export const signedWebhook = record({
  /** The JSON of the activity as in a query, without rights of a particular user. */
  body: words,
  keyId: words,
  /** Hex of 64 bytes. */
  signature: words,
})

const rehearsedCase: Plain<RehearsedCase> = tagged('kind', {
  judged: { judgement, drafted: optional(judgement) },
  unclear: { error },
})

export const rehearsals = {
  rehearsed: { cases: list(rehearsedCase, ROWS_MAX), used: optional(replayedUsage) },
  refused,
  needs,
  meters,
  outdated,
}

export const rehearsed = tagged('kind', rehearsals, cost)

/** Public halves of the service's own current keys, for clients that verify its signatures. */
export const serviceKeys = record({
  signer: words,
  session: words,
  otp: words,
  oauth2: words,
  webhook: words,
  /** Includes the next keys, and earlier ones that still verify. */
  versions: list(
    record({
      purpose: oneOf(PUBLIC_PURPOSES),
      version: whole(1),
      state: oneOf(SERVICE_STATES),
      publicKey: words,
      until: optional(whole()),
    }),
    ROWS_MAX,
  ),
})

export const resealed = tagged('kind', reseals, cost)

export const erased = tagged('kind', erasures)

export const userErased = tagged('kind', userErasures)

/** The versions of the root key that the vault holds, each with an id that reveals nothing about its bytes. */
export const rootKeysShown = record({
  seals: whole(1),
  versions: list(record({ version: whole(1), id: words }), ROWS_MAX),
  service: list(
    record({ purpose: oneOf(SERVICE_PURPOSES), version: whole(1), state: oneOf(SERVICE_STATES), id: words }),
    ROWS_MAX,
  ),
  /** The reason why the changed root key file was not accepted; the vault keeps the previous keys. */
  trouble: optional(words),
})

/** The problems of rows, and their expected claims and directory entries. */
export const verified = record({
  problems: list(record({ what: words, problem: words }), ROWS_MAX),
  claims: list(plainEntry, ROWS_MAX),
  directory: list(plainEntry, ROWS_MAX),
})

/** The key in hex, and the version of its root key; absent where this vault does not hold that version. */
export const copyKey = record({ version: whole(1), key: optional(words) })

/** Whether it was accepted: the proof is by this root key, and about a restore. */
export const isRestored = flag

/** The mails to send. */
export const announced = record({ jobs: list(plainJob, ROWS_MAX) })

export const heartbeats = {
  /** The host must write this unit: another hour was counted, or the time to complete the attempt is over. */
  counted: ticketed,
  /** No full hour has passed yet; the remaining time to wait. */
  waits: { forMs: whole() },
  /** There is no attempt. */
  none: {},
  outdated,
}

export const heartbeat = tagged('kind', heartbeats, cost)

/** A text that only the holder of the root key can make. */
export const rootProof = words

/**
 * The origin of a proof: this root key, another root key, a version that is not held, or a version newer than the
 * sealing one, under which the data already is.
 */
export const proofOrigin = oneOf(['own', 'foreign', 'unheld', 'newer'])
