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
import { reseals } from './reseal.ts'
import { plainActivity, plainEntry, plainJob, plainUnit, ROWS_MAX } from './rows.ts'

// The host reads what the vault says as the vault reads what the host says. No decision rests on it: the vault could sign whatever
// it liked. But an answer that is not what the host takes it for is found here, and not where it has been stored or sent.

const CHARACTERS_MAX = 128 * 1024 * 1024

const words = text(CHARACTERS_MAX)
const ids = list(words, ROWS_MAX)

const error: Plain<ErrorBody> = record({
  code: oneOf(GRPC_CODES),
  message: words,
  details: list(openRecord({ '@type': words }), ROWS_MAX),
  turnkeyErrorCode: optional(words),
})

/** What the vault has spent on it, whatever came of it: what the host weighs turns and limits by. */
const cost = { cost: whole() }

const refused = { error }
/** The credential of the stamp where it is one that lasts, by the id that the charter has for it: to note on which day it was used. */
const stampedWith = { credentialId: optional(words) }
/** Bring these charters, whole, and ask again. */
const needs = { charters: ids }
/**
 * Bring these meters, and ask again. `asTheyStand`: what was decided would rest on units under way, and is to be decided on what has been
 * written.
 */
const meters = { ids: list(meterId, ROWS_MAX), asTheyStand: flag }
/**
 * What was brought is older than what this vault knows to have been committed: read it anew, and ask again. A reading that began
 * after this answer, and shows the same again, shows something that was put back.
 */
const outdated = { what: words }

/** A unit that was decided. The host tells with its next message what became of it, under its ticket. */
const ticketed = { unit: plainUnit, ticket: whole(1) }

export const decisions = {
  /** Write this unit; once it is durable, answer with its activity, or with the error. */
  commit: {
    userId: words,
    /** Of the user: the organization of the record, or its parent. */
    homeId: words,
    ...stampedWith,
    error: optional(error),
    /** The result as its owner is told it, this once, where the record keeps less. */
    answer: optional(words),
    ...ticketed,
  },
  /** Nothing changes: answer with this record as it stands, or with the error. */
  settled: { row: plainActivity, userId: words, error: optional(error) },
  refused,
  needs,
  meters,
  /** Find these out, and ask again with the answers. */
  asks: { questions: list(question, ROWS_MAX) },
  outdated,
  /** The unit of this ticket writes what this one would: ask again once it has ended. Without a ticket it is another host's. */
  underWay: { ticket: optional(whole(1)) },
}

export const decision = tagged('kind', decisions, cost)

/** Who asks, as their own organization knows them at that moment. */
const signer = {
  userId: words,
  userName: words,
  organizationId: words,
  organizationName: words,
  ...stampedWith,
}

export const identifications = { signer, refused, needs, outdated }

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
  /** The JSON of the activity, as a query answers it to nobody in particular. */
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

/** Public halves of the service's own keys that are used, for clients that verify what it signs. */
export const serviceKeys = record({
  signer: words,
  session: words,
  otp: words,
  oauth2: words,
  webhook: words,
  /** Also those that will be used, and those that were and still verify. */
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

/** The versions of the root key that the vault holds: each has a name that tells nothing of its bytes. */
export const rootKeysShown = record({
  seals: whole(1),
  versions: list(record({ version: whole(1), id: words }), ROWS_MAX),
  service: list(
    record({ purpose: oneOf(SERVICE_PURPOSES), version: whole(1), state: oneOf(SERVICE_STATES), id: words }),
    ROWS_MAX,
  ),
  /** Why the root key file, read anew, was not taken; the vault goes on with what it held. */
  trouble: optional(words),
})

/** What is wrong with rows, and which claims and entries of the directory there have to be for them. */
export const verified = record({
  problems: list(record({ what: words, problem: words }), ROWS_MAX),
  claims: list(plainEntry, ROWS_MAX),
  directory: list(plainEntry, ROWS_MAX),
})

/** The key in hex, and the version of the root key that it is from; absent where this vault does not hold that version. */
export const copyKey = record({ version: whole(1), key: optional(words) })

/** Whether it was taken: this root key has made the proof, and of a restore. */
export const isRestored = flag

/** Mails that are to be sent. */
export const announced = record({ jobs: list(plainJob, ROWS_MAX) })

export const heartbeats = {
  /** Write this unit: an hour more was counted, or the time to complete the attempt is over. */
  counted: ticketed,
  /** No hour has passed yet; there is nothing to do for so long. */
  waits: { forMs: whole() },
  /** There is no attempt. */
  none: {},
  outdated,
}

export const heartbeat = tagged('kind', heartbeats, cost)

/** A text that only the holder of the root key can make. */
export const rootProof = words

/**
 * Whether this root key made it: by no version that is held, by one that is not held, or by a newer one than the version that seals, which
 * the data is under already.
 */
export const proofOrigin = oneOf(['own', 'foreign', 'unheld', 'newer'])
