import type { PlainOf, TaggedOf } from '../trusted/base/plain.ts'
import type { Units } from '../trusted/base/work.ts'
import type {
  checks,
  decisions,
  established,
  heartbeats,
  identifications,
  proofOrigin,
  rehearsals,
  rootKeysShown,
  serviceKeys,
  signedWebhook,
  verified,
} from './answers.ts'
import type {
  announceRecoveryRequest,
  announceRequest,
  broughtMeters,
  checkRequest,
  decideRequest,
  establishRequest,
  heartbeatRequest,
  identifyRequest,
  meterId,
  rehearseRequest,
  rootProofRequest,
  settledUnits,
  stampHeaders,
  verifyRequest,
  webhookRequest,
} from './calls.ts'
import type { eraseRequest, erasures } from './erase.ts'
import type { eraseUserRequest, userErasures } from './erase-user.ts'
import type { AnswerOf, CallOf, VaultMethod } from './methods.ts'
import type { passCount, resealRequest, reseals } from './reseal.ts'
import type { plainCharterOffer } from './rows.ts'

export type StampHeaders = PlainOf<typeof stampHeaders>
/** A charter as the host has it. The body may be left out when the vault has seen exactly this version before. */
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
export type ResealRequest = PlainOf<typeof resealRequest>
export type EraseRequest = PlainOf<typeof eraseRequest>
export type EraseUserRequest = PlainOf<typeof eraseUserRequest>
export type PassCount = PlainOf<typeof passCount>
export type VerifyRequest = PlainOf<typeof verifyRequest>
export type AnnounceRequest = PlainOf<typeof announceRequest>
export type AnnounceRecoveryRequest = PlainOf<typeof announceRecoveryRequest>
export type HeartbeatRequest = PlainOf<typeof heartbeatRequest>
export type SettledUnits = PlainOf<typeof settledUnits>

export type Decision = TaggedOf<'kind', typeof decisions>
export type Identified = TaggedOf<'kind', typeof identifications>
export type Checked = TaggedOf<'kind', typeof checks>
export type Resealed = TaggedOf<'kind', typeof reseals>
export type Heartbeat = TaggedOf<'kind', typeof heartbeats>
export type Erased = TaggedOf<'kind', typeof erasures>
export type UserErased = TaggedOf<'kind', typeof userErasures>
export type Rehearsed = TaggedOf<'kind', typeof rehearsals>
export type MetersNeeded = Extract<Decision, { readonly kind: 'meters' }>
export type Outdated = Extract<Decision, { readonly kind: 'outdated' }>
export type Established = PlainOf<typeof established>
/** A decided unit. The host reports its outcome with the next message, under its ticket. */
export type TicketedUnit = Pick<Established, 'unit' | 'ticket'>
/** The signer of a query, in the current charter of their own organization. */
export type Signer = Omit<Extract<Identified, { readonly kind: 'signer' }>, 'kind'>
export type RootKeysShown = PlainOf<typeof rootKeysShown>
export type ProofOrigin = PlainOf<typeof proofOrigin>
export type ServiceKeys = PlainOf<typeof serviceKeys>
export type SignedWebhook = PlainOf<typeof signedWebhook>

export type Verified = PlainOf<typeof verified>

/** With the vault's cost. */
export type Costed<T> = T & { readonly cost: Units }

/** The interface of the vault for the host. */
export type Vault = {
  /** Sent before the next call; it has no answer. */
  readonly settled: (units: SettledUnits) => void
} & { readonly [M in VaultMethod]: Asked<CallOf<M>, AnswerOf<M>> }

type Asked<Call, Answer> = undefined extends Call ? () => Promise<Answer> : (call: Call) => Promise<Answer>
