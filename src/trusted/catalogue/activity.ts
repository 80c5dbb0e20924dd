import type { Steps, Work } from '../base/work.ts'
import type { Ms } from '../base/world.ts'
import type { Failure } from '../base/failure.ts'
import type { Charter } from '../charter/charter.ts'
import type { CredentialType } from '../charter/credential-types.ts'
import type { ProvenContact } from '../charter/holders.ts'
import type { Audiences } from '../charter/identity-audiences.ts'
import type { Facts, Vocabulary } from '../policy/types.ts'
import type { Form, Forms } from './form.ts'
import type { Message } from './message.ts'
import type { Gathered, Needs, Opened, Placed } from './objects.ts'
import type { Personal } from './personal.ts'
import type { Answer, Question } from './question.ts'
import type { Service } from './service.ts'

/** The closed lists of `activity.resource` and `activity.action`, as far as they are built. */
type Resource =
  | 'AUTH'
  | 'CONFIG'
  | 'CREDENTIAL'
  | 'INVITATION'
  | 'MFA_POLICY'
  | 'ORGANIZATION'
  | 'OTP'
  | 'POLICY'
  | 'PRIVATE_KEY'
  | 'RECOVERY'
  | 'SECRET'
  | 'SESSION_PROFILE'
  | 'SMART_CONTRACT_INTERFACE'
  | 'USER'
  | 'WALLET'
  | 'WEBHOOK_ENDPOINT'
  | 'ACTIVITY'
type Action = 'CREATE' | 'UPDATE' | 'DELETE' | 'SIGN' | 'EXPORT' | 'IMPORT' | 'VERIFY' | 'VOTE'

/** The users who may have an activity carried out. The root quorum always may. */
type Authority<I> =
  /** Policies may allow other users too. */
  | { readonly kind: 'policies' }
  /** Only the root quorum may, unless `askedOf` says otherwise; a policy that names the activity has no effect. */
  | { readonly kind: 'rootQuorum'; askedOf?(intent: I): AskedOf }
  /**
   * Policies may allow other users too, and users may act on their own credentials where no policy decides. `owner` is
   * undefined when the activity can only be about its own sender.
   */
  | {
      readonly kind: 'ownCredentials'
      owner(intent: I): string | undefined
      /** The type of credential with which users act on their own; any type when absent. */
      readonly stampedWith?: CredentialType
    }
  /** Only the user named, and that user only as the root quorum or the policies allow. */
  | { readonly kind: 'onlySelf'; self(intent: I): string }

/**
 * Who decides where no policy does: the root quorum, any one of its users, or the key of the organization's recovery
 * set and nobody else (docs/decisions/break-glass.md).
 */
export type AskedOf = 'rootQuorum' | 'anyRootUser' | 'recoverySet'

/** The sender of a request. */
export type Requester = {
  readonly userId: string
  /** Their own organization: the one addressed, or its parent. */
  readonly organizationId: string
  /** The type of the credential that stamped the request: a `CREDENTIAL_TYPE_…`, or `''` for a token. */
  readonly credentialType: string
  /** The id of the API key, passkey, account elsewhere or token that stamped the request; '' where it is gone. */
  readonly credentialId: string
  /** The contact that a verification token proved, where the request was stamped with one. */
  readonly provenContact?: ProvenContact & { readonly tokenId: string; readonly expiresAt: Ms }
}

/** The whole input of carrying out an activity, which is a function of this and nothing else. */
type Execution<I, N, W, P> = {
  readonly intent: I
  readonly charter: Charter
  /** The parent's, where the activity said that it looks at it and there is one. */
  readonly parent: Charter | undefined
  readonly rows: Gathered<N>
  /**
   * The parts of the intent whose verification is asynchronous, verified beforehand: attestations, tokens, client
   * signatures.
   */
  readonly verified: W
  /** The value that `prepare` made. */
  readonly prepared: P
  readonly requester: Requester
  readonly now: Ms
  /** The time of the request, where it has waited for approvals or proofs: what it names may have changed meanwhile. */
  readonly waitedSince: Ms | undefined
  readonly work: Work
  readonly newId: () => string
  readonly randomBytes: (length: number) => Uint8Array
  readonly service: Service
}

/**
 * The effect of an activity: on the organization's own charter and objects, or whole new organizations. With a failure
 * instead of a result the activity has failed; the rows that it leaves behind are kept all the same, such as the count
 * of a wrong try.
 */
export type Effect<R> = ({ readonly result: R } | { readonly failure: Failure }) & {
  readonly charter?: Charter
  readonly put?: readonly Placed[]
  readonly remove?: readonly Opened<unknown>[]
  readonly established?: readonly { readonly charter: Charter; readonly put: readonly Placed[] }[]
  /** Messages to people, sent after the commit. */
  readonly messages?: readonly Message[]
  /** Webhooks of one of the organization's targets that were given up and are sent once more, by their numbers. */
  readonly revived?: { readonly target: string; readonly sequences: readonly number[] }
}

/** The data that a verification may use beside the intent. */
export type VerificationMeans = {
  readonly charter: Charter
  /** The origins that passkeys of the organization may come from; any origin when undefined. */
  readonly origins: readonly string[] | undefined
  /** The applications whose identity tokens are accepted. */
  readonly audiences: Audiences
  readonly now: Ms
  readonly service: Service
  readonly work: Work
  /** The answer to a question that `asks` has named. */
  readonly answerTo: (question: Question) => Answer
}

type Recipients = {
  /** Addresses and numbers, each as often as it gets a message. */
  readonly contacts: readonly string[]
  /** The person for whom the caller asks, where the caller names one. */
  readonly asker?: string | undefined
}

type ActivityDeclaration<I, R, N extends Needs, W, P> = {
  readonly operation: string
  readonly summary: string
  readonly forms: Forms<I, R>
  readonly resource: Resource
  readonly action: Action
  readonly authority: Authority<I>
  /**
   * False for an activity that changes nothing a decision reads, and `seldom` for one that hardly ever does: many of
   * them run beside each other.
   */
  readonly amends: boolean | 'seldom'
  /**
   * It opens a session, gives a person back the own account, or is a step on the way to that; it changes nothing else.
   */
  readonly logsIn?: true
  /** Whose personal data the request and the result say; absent where they say nobody's. */
  readonly personal?: Personal
  /** A vote is about another activity: which one, and which way. It is not carried out itself. */
  readonly vote?: {
    readonly selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED'
    fingerprint(intent: I): string
  }
  /**
   * Users of the parent may have it carried out in a sub-organization, as the parent's policies and root quorum say.
   */
  readonly parentMay?: true
  /**
   * The request may carry the parent's id: the sub-organization is then found by the credential, contact or identity of
   * its stamp.
   */
  readonly findsSubOrganization?: true
  /** It may be stamped with a verification token or an identity token instead of a registered credential. */
  readonly attestable?: true
  /** Whether the charter of the parent is read too, where there is one. */
  readonly looksAtParent?: true
  /** The recipients of an activity that sends messages: rate limits count them. */
  writesTo?(intent: I): Recipients
  /** Whether every root user with an address is written to: as often as their mailboxes take, or in any case. */
  writesToRoots?(intent: I): 'asMailboxesTake' | 'inAnyCase' | undefined
  /**
   * The result as its record keeps it: without the parts that serve any holder. The owner gets the whole result, once.
   */
  withoutBearer?(result: R): R
  /** The failures that carrying it out may meet; others are bugs. */
  readonly fails: readonly { readonly kind: string }[]
  /** An intent in the newest form and a result, for the reference page and the generated tests. */
  readonly example: { readonly intent: NoInfer<I>; readonly result: NoInfer<R> }
  /** The facts that policies may read under `activity.params`. */
  readonly params?: { readonly types: Vocabulary; of(intent: NoInfer<I>): Facts }
  /** Refuses mistakes that show without looking at any data, before anyone is asked for approval. */
  validate?(intent: I, vocabulary: Vocabulary, work: Work): void | Promise<void>
  /** The questions for the outside world, asked once the activity has been allowed; `verify` gets the answers. */
  asks?(subject: {
    readonly intent: I
    readonly charter: Charter
    readonly parent: Charter | undefined
    readonly audiences: Audiences
    readonly service: Service
  }): readonly Question[]
  /** Verifies proofs with asynchronous cryptography, before the activity is carried out. */
  verify?(intent: I, means: VerificationMeans): Promise<W>
  /** @param tokenId  of the verification token that the request is stamped with, where it is */
  needs?(intent: I, tokenId: string | undefined): N
  /** Keywords that policies may read for this activity beside `activity`. */
  readonly namespaces?: Vocabulary
  /** Computes a value from the intent and the rows once. Policies are asked about it, and carrying out uses it. */
  prepare?(subject: { readonly intent: I; readonly rows: Gathered<N> }): Steps<P>
  facts?(subject: { readonly intent: I; readonly rows: Gathered<N>; readonly prepared: P }): Facts
  /** Beside `facts`, for a request that does several things: the facts of each. Policies must allow every one. */
  eachFacts?(subject: {
    readonly intent: I
    readonly rows: Gathered<N>
    readonly prepared: P
  }): readonly Facts[]
  execute(execution: Execution<I, N, W, P>): Effect<R> | Promise<Effect<R>>
}

/** A declaration with its own types put away, as the list of activities holds it. */
export type Activity = Omit<ActivityDeclaration<unknown, unknown, Needs, unknown, unknown>, 'forms'> & {
  readonly forms: readonly Form[]
}

export function defineActivity<I, R, N extends Needs = Record<never, never>, W = undefined, P = undefined>(
  declaration: ActivityDeclaration<I, R, N, W, P>,
): Activity {
  return { ...declaration, forms: declaration.forms.all }
}
