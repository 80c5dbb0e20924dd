import type { Rehearsed, RehearseRequest } from './rehearse.ts'
import type { ErrorBody } from '../base/failure.ts'
import type { Units } from '../base/work.ts'
import type { Message } from '../catalogue/message.ts'
import type { Answers, Question } from '../catalogue/question.ts'
import type {
  ActivityRow,
  CharterRow,
  DirectoryEntry,
  ErrandRow,
  ObjectRow,
  Unit,
} from '../catalogue/unit.ts'

/** What the vault is told of a stamp: the header values as they came. */
export type StampHeaders = {
  readonly xStamp?: string
  readonly xStampWebauthn?: string
  readonly xStampAttested?: string
  readonly xSession?: string
}

/** A charter as the host has it. The body may be left out when the vault has been shown this very version before. */
export type OfferedCharter = Omit<CharterRow, 'body'> & { readonly body?: string }

/** The rows that the activity said it needs, by the name of the need. */
export type BroughtRows = { readonly [need: string]: readonly ObjectRow[] }
export type BroughtNames = { readonly [need: string]: readonly string[] }

/** The row of a meter, which counts what the policies of an organization limit. */
export type MeterId = Pick<ObjectRow, 'organizationId' | 'objectId'>

/** The meters that were looked for, and those that there are. */
export type BroughtMeters = {
  readonly ids: readonly MeterId[]
  readonly rows: readonly ObjectRow[]
  /** Some of them as this host has committed them, at whatever time: none may be older. */
  readonly written: readonly ObjectRow[]
}

export type DecideRequest = {
  /** The exact body: well-formed UTF-8, so that this text has the very bytes that were stamped. */
  readonly body: string
  readonly stamp: StampHeaders
  /** Where the request came from, for the lists of allowed addresses; absent for what the service itself submits. */
  readonly clientAddress?: string
  /** The sub-organization that is meant, where the body names its parent. */
  readonly subOrganizationId?: string
  readonly charters: readonly OfferedCharter[]
  /** What came back for the questions of this request. */
  readonly answers?: Answers
  /** The record of these same bytes, where there is one. */
  readonly earlier?: ActivityRow
  /** For a vote: the record it is about. */
  readonly target?: ActivityRow
  readonly rows: BroughtRows
  readonly taken: BroughtNames
  readonly meters?: BroughtMeters
  /** After a commit that met a claim of another object: those claims as they stand. Only a hint, like everything that is brought. */
  readonly held?: readonly DirectoryEntry[]
}

export type Decision =
  /** Write this unit; once it is durable, answer with its activity, or with the error. */
  | {
      readonly kind: 'commit'
      readonly unit: Unit
      readonly userId: string
      readonly error?: ErrorBody
      /** The result as its owner is told it, this once, where the record keeps less. */
      readonly answer?: string
    }
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
  /** Bring these meters as they stand now, and ask again. */
  | { readonly kind: 'meters'; readonly ids: readonly MeterId[] }
  /** Find these out, and ask again with the answers. */
  | { readonly kind: 'asks'; readonly questions: readonly Question[] }

export type IdentifyRequest = {
  readonly body: string
  readonly stamp: StampHeaders
  readonly clientAddress?: string
  readonly organizationId: string
  readonly charters: readonly OfferedCharter[]
}

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

export type CheckRequest = {
  readonly charters: readonly CharterRow[]
  readonly activities: readonly ActivityRow[]
  readonly objects: readonly ObjectRow[]
}

export type FoundRequest = {
  readonly organizationName: string
  readonly userName: string
  readonly apiKeyName: string
  readonly publicKey: string
  readonly curveType: string
}

export type Founded = { readonly organizationId: string; readonly userId: string; readonly unit: Unit }

/** Public halves of the service's own keys, for clients that verify what it signs. */
export type ServiceKeys = {
  readonly signer: string
  readonly session: string
  readonly otp: string
  readonly oauth2: string
  readonly webhook: string
}

export type WebhookRequest = {
  /** The record as it stands now. */
  readonly row: ActivityRow
  /** The state that is told: the record as it was at this revision. */
  readonly revision: number
  readonly eventId: string
  readonly timestampMs: number
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

/** What `proveRoot` answered to a challenge, now or at an earlier start. */
export type RootProof = { readonly challenge: string; readonly proof: string }

/** All that the host may ask of the vault. */
export type Vault = {
  /** Judges a submission and carries it out, in memory: nothing has happened until the unit is committed. */
  readonly decide: (request: DecideRequest) => Promise<Costed<Decision>>
  /** Whose stamp is this, for a query. */
  readonly identify: (request: IdentifyRequest) => Promise<Costed<Identified>>
  /** Resolves when every row is as this vault sealed it, and rejects when one is not. */
  readonly check: (request: CheckRequest) => Promise<Costed<{ readonly kind: 'checked' }>>
  /** The first organization of a service, or a further top-level one, with one root user. */
  readonly found: (request: FoundRequest) => Promise<Founded>
  /** What a message says, at the moment it is sent. */
  readonly openErrand: (row: ErrandRow) => Promise<Message>
  readonly signWebhook: (request: WebhookRequest) => Promise<SignedWebhook>
  /** How requests would be judged, with nothing carried out. */
  readonly rehearse: (request: RehearseRequest) => Promise<Costed<Rehearsed>>
  readonly serviceKeys: () => Promise<ServiceKeys>
  /** A text that only the holder of this root key can make, to see that data and root key belong together. */
  readonly proveRoot: (challenge: string) => Promise<string>
  /** Whether this root key made the proof, with its newest version or an earlier one. */
  readonly checkRootProof: (made: RootProof) => Promise<boolean>
}
