import type { ErrorBody } from '../trusted/base/failure.ts'
import type { PlainOf } from '../trusted/base/plain.ts'
import type { Units } from '../trusted/base/work.ts'
import type { Message } from '../trusted/catalogue/message.ts'
import type { plainCharterOffer } from './rows.ts'
import type { RehearsalOutcome } from '../trusted/catalogue/rehearsal.ts'
import type { Question } from '../trusted/catalogue/question.ts'
import type { ActivityRow, JobRow, Unit } from '../trusted/catalogue/unit.ts'
import type {
  broughtMeters,
  checkRequest,
  decideRequest,
  establishRequest,
  identifyRequest,
  meterId,
  rehearseRequest,
  rootProofRequest,
  settledUnits,
  stampHeaders,
  webhookRequest,
} from './calls.ts'

export type StampHeaders = PlainOf<typeof stampHeaders>
/** A charter as the host has it. The body may be left out when the vault has been shown this very version before. */
export type OfferedCharter = PlainOf<typeof plainCharterOffer>
export type MeterId = PlainOf<typeof meterId>
export type BroughtMeters = PlainOf<typeof broughtMeters>
export type DecideRequest = PlainOf<typeof decideRequest>
export type BroughtRows = DecideRequest['rows']
export type BroughtNames = DecideRequest['taken']
export type IdentifyRequest = PlainOf<typeof identifyRequest>
export type CheckRequest = PlainOf<typeof checkRequest>
export type EstablishRequest = PlainOf<typeof establishRequest>
export type WebhookRequest = PlainOf<typeof webhookRequest>
export type RootProof = PlainOf<typeof rootProofRequest>
export type RehearseRequest = PlainOf<typeof rehearseRequest>
export type SettledUnits = PlainOf<typeof settledUnits>

export type Decision =
  /** Write this unit; once it is durable, answer with its activity, or with the error. */
  | ({
      readonly kind: 'commit'
      readonly userId: string
      readonly error?: ErrorBody
      /** The result as its owner is told it, this once, where the record keeps less. */
      readonly answer?: string
    } & TicketedUnit)
  /** Nothing changes: answer with this record as it stands, or with the error. */
  | {
      readonly kind: 'settled'
      readonly row: ActivityRow
      readonly userId: string
      readonly error?: ErrorBody
    }
  | { readonly kind: 'refused'; readonly error: ErrorBody }
  /** Bring these charters, whole, and ask again. */
  | { readonly kind: 'needs'; readonly charters: readonly string[] }
  | MetersNeeded
  /** Find these out, and ask again with the answers. */
  | { readonly kind: 'asks'; readonly questions: readonly Question[] }
  | Outdated
  /** The unit of this ticket writes what this one would: ask again once it has ended. */
  | { readonly kind: 'underWay'; readonly ticket: number }

/** Bring these meters as they stand now, and ask again. */
export type MetersNeeded = { readonly kind: 'meters'; readonly ids: readonly MeterId[] }

export type Rehearsed =
  | ({ readonly kind: 'rehearsed' } & RehearsalOutcome)
  | { readonly kind: 'refused'; readonly error: ErrorBody }
  | { readonly kind: 'needs'; readonly charters: readonly string[] }
  | MetersNeeded
  | Outdated

/** A unit that was decided. The host tells with its next message what became of it, under its ticket. */
export type TicketedUnit = { readonly unit: Unit; readonly ticket: number }

/**
 * What was brought is older than what this vault knows to have been committed: read it anew, and ask again. A reading that began
 * after this answer, and shows the same again, shows something that was put back.
 */
export type Outdated = { readonly kind: 'outdated'; readonly what: string }

/** Who asks, as their own organization knows them at that moment. */
export type Signer = {
  readonly userId: string
  readonly userName: string
  readonly organizationId: string
  readonly organizationName: string
}

export type Identified =
  | ({ readonly kind: 'signer' } & Signer)
  | { readonly kind: 'refused'; readonly error: ErrorBody }
  | { readonly kind: 'needs'; readonly charters: readonly string[] }
  | Outdated

export type Checked = { readonly kind: 'checked' } | Outdated

export type Established = { readonly organizationId: string; readonly userId: string } & TicketedUnit

/** Public halves of the service's own keys, for clients that verify what it signs. */
export type ServiceKeys = {
  readonly signer: string
  readonly session: string
  readonly otp: string
  readonly oauth2: string
  readonly webhook: string
}

/** A webhook ready to be sent. */
export type SignedWebhook = {
  /** The JSON of the activity, as a query answers it to nobody in particular. */
  readonly body: string
  readonly keyId: string
  /** Hex of 64 bytes. */
  readonly signature: string
}

/** With what the vault has spent on it, whatever came of it: what the host weighs turns and limits by. */
export type Costed<T> = T & { readonly cost: Units }

/** All that the host may ask of the vault. */
export type Vault = {
  /** Told before whatever is asked next; answered by nothing. */
  readonly settled: (units: SettledUnits) => void
  /** Judges a submission and carries it out, in memory: nothing has happened until the unit is committed. */
  readonly decide: (request: DecideRequest) => Promise<Costed<Decision>>
  /** Whose stamp is this, for a query. */
  readonly identify: (request: IdentifyRequest) => Promise<Costed<Identified>>
  /** Whether every row is as this vault sealed it, and none older than it knows; rejects when one is not its own. */
  readonly check: (request: CheckRequest) => Promise<Costed<Checked>>
  /** The first organization of a service, or a further top-level one, with one root user. */
  readonly establish: (request: EstablishRequest) => Promise<Established>
  /** What a message says, at the moment it is sent. */
  readonly openJob: (row: JobRow) => Promise<Message>
  readonly signWebhook: (request: WebhookRequest) => Promise<SignedWebhook>
  /** How requests would be judged, with nothing carried out. */
  readonly rehearse: (request: RehearseRequest) => Promise<Costed<Rehearsed>>
  readonly serviceKeys: () => Promise<ServiceKeys>
  /** A text that only the holder of this root key can make, to see that data and root key belong together. */
  readonly proveRoot: (challenge: string) => Promise<string>
  /** Whether this root key made the proof, with its newest version or an earlier one. */
  readonly checkRootProof: (made: RootProof) => Promise<boolean>
}
