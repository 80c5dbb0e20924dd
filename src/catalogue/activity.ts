import type { Ms } from '../base/world.ts'
import type { QuorumSigner } from '../crypto/bundles.ts'
import type { Charter } from '../charter/charter.ts'
import type { Facts, Vocabulary } from '../policy/types.ts'
import type { Form, Forms } from './form.ts'
import type { Gathered, Needs, Opened, Placed } from './objects.ts'

/** The closed lists of `activity.resource` and `activity.action`, as far as they are built. */
export type Resource =
  | 'CREDENTIAL'
  | 'INVITATION'
  | 'ORGANIZATION'
  | 'POLICY'
  | 'PRIVATE_KEY'
  | 'USER'
  | 'ACTIVITY'
export type Action = 'CREATE' | 'UPDATE' | 'DELETE' | 'SIGN' | 'EXPORT' | 'IMPORT' | 'VOTE'

/** Who may have an activity carried out. The root quorum always may. */
export type Authority<I> =
  /** Also whoever the policies allow. */
  | { readonly kind: 'policies' }
  /** Nobody else; a policy that names it has no effect. */
  | { readonly kind: 'rootQuorum' }
  /** Also whoever the policies allow, and a user for their own credentials where no policy speaks. */
  | { readonly kind: 'ownCredentials'; owner(intent: I): string }
  /** Only the user named, and that user only as the root quorum or the policies allow. */
  | { readonly kind: 'onlySelf'; self(intent: I): string }

export type Signer = { readonly userId: string; readonly organizationId: string }

/** All that carrying out an activity may look at. It is a function of this and nothing else. */
export type Execution<I, N, W> = {
  readonly intent: I
  readonly charter: Charter
  readonly rows: Gathered<N>
  /** What was verified of the intent beforehand, where that takes asynchronous cryptography (attestations). */
  readonly witness: W
  readonly signer: Signer
  readonly now: Ms
  readonly newId: () => string
  readonly randomBytes: (length: number) => Uint8Array
  /** Signs the bundles that leave the service. */
  readonly bundleSigner: QuorumSigner
}

/** What an activity does. The organization's own charter and objects, or whole new organizations. */
export type Effect<R> = {
  readonly result: R
  readonly charter?: Charter
  readonly put?: readonly Placed[]
  readonly remove?: readonly Opened<unknown>[]
  readonly founded?: readonly { readonly charter: Charter; readonly put: readonly Placed[] }[]
}

export type ActivityDeclaration<I, R, N extends Needs, W> = {
  readonly operation: string
  readonly summary: string
  readonly forms: Forms<I, R>
  readonly resource: Resource
  readonly action: Action
  readonly authority: Authority<I>
  /** False for an activity that changes nothing a decision reads: many of them run beside each other. */
  readonly amends: boolean
  /** A vote is about another activity: which one, and which way. It is not carried out itself. */
  readonly vote?: {
    readonly selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED'
    fingerprint(intent: I): string
  }
  /** The failures that carrying it out may meet; others are bugs. */
  readonly fails: readonly { readonly kind: string }[]
  /** An intent in the newest form and a result, for the reference page and the generated tests. */
  readonly example: { readonly intent: NoInfer<I>; readonly result: NoInfer<R> }
  /** What policies may read under `activity.params`. */
  readonly params?: { readonly types: Vocabulary; of(intent: I): Facts }
  /** Refuses what can be seen to be wrong without looking at any data, before anyone is asked for approval. */
  validate?(intent: I, vocabulary: Vocabulary): void
  /** `origins`: where passkeys of the organization may come from; anywhere when undefined. */
  witness?(intent: I, origins: readonly string[] | undefined): Promise<W>
  needs?(intent: I): N
  /** Keywords that policies may read for this activity beside `activity`. */
  readonly namespaces?: Vocabulary
  facts?(subject: { readonly intent: I; readonly rows: Gathered<N> }): Facts
  execute(execution: Execution<I, N, W>): Effect<R>
}

/** A declaration with its own types put away, as the list of activities holds it. */
export type Activity = Omit<ActivityDeclaration<unknown, unknown, Needs, unknown>, 'forms'> & {
  readonly forms: readonly Form[]
}

export function defineActivity<I, R, N extends Needs = Record<never, never>, W = undefined>(
  declaration: ActivityDeclaration<I, R, N, W>,
): Activity {
  return { ...declaration, forms: declaration.forms.all }
}
