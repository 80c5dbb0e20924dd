import type { Steps } from '../base/work.ts'
import type { Ms } from '../base/world.ts'
import type { Charter } from '../charter/charter.ts'
import type { LookupKind } from '../charter/directory.ts'
import type { LookupKey, ObjectKind } from './objects.ts'
import type { JsonText } from './json-text.ts'
import type { Rehearsal, RehearsalOutcome } from './rehearsal.ts'
import type { Shape } from './shape.ts'
import type { ActivityRow, ActivityStatus } from './unit.ts'

/** The data that a query may read. Every row has been checked against the vault's seal before it is handed out. */
export type Reader = {
  readonly charter: Charter
  /** The charter of the organization that created this one; undefined for a top-level organization. */
  readonly parent: () => Promise<Charter | undefined>
  readonly now: Ms
  /** Where the request came from, as the host says; what the service itself asks comes from nowhere. */
  readonly clientAddress?: string
  readonly signer: {
    readonly userId: string
    readonly userName: string
    readonly organizationId: string
    readonly organizationName: string
  }
  /** For a query that a token stamps, only where the key of the token has stamped the activity or a vote on it. */
  readonly activity: (activityId: string) => Promise<ActivityRow | undefined>
  /** The JSON text of a record as the interface answers it, told to the signer. */
  readonly view: (row: ActivityRow) => string
  readonly activities: (
    filter: { readonly statuses?: readonly ActivityStatus[]; readonly types?: readonly string[] },
    page: PageRequest,
  ) => Promise<readonly ActivityRow[]>
  readonly object: <B>(kind: ObjectKind<B>, objectId: string) => Promise<B | undefined>
  readonly objects: <B>(kind: ObjectKind<B>) => Promise<readonly B[]>
  /**
   * The JSON text of a list of all objects of a kind, oldest first to the millisecond, for kinds without a small bound.
   */
  readonly listText: <B>(kind: ObjectKind<B>, view: (body: B) => object) => Promise<string>
  /** A page, in order of id, of the objects that are found under any of these entries; at least one. */
  readonly found: <B>(
    kind: ObjectKind<B>,
    entries: readonly LookupKey[],
    page: PageRequest,
  ) => Promise<readonly B[]>
  /** Objects that hold any of these names. */
  readonly claiming: <B>(kind: ObjectKind<B>, claims: readonly LookupKey[]) => Promise<readonly B[]>
  /** Does long work in steps, so that others get their turn between them; the caller is charged with the cost. */
  readonly through: <T>(steps: Steps<T>) => Promise<T>
  /** How requests would be judged, or would have been; nothing is carried out. */
  readonly rehearse: (rehearsal: Rehearsal) => Promise<RehearsalOutcome>
  /**
   * A page of the objects of a kind, in order of id from the first on; or from the last on, before an id. Where it is
   * not full there are no more.
   */
  readonly objectsPage: <B>(
    kind: ObjectKind<B>,
    page:
      | { readonly limit: number; readonly after?: string }
      | { readonly limit: number; readonly before: string },
  ) => Promise<readonly B[]>
  /** Jobs of one of the organization's webhook targets. They carry no seal: it is the host's word. */
  readonly webhookJobs: (
    target: string,
    of: 'waiting' | 'dead',
    page: { readonly limit: number; readonly after?: number },
  ) => Promise<{
    readonly jobs: readonly WebhookDelivery[]
    /** When the first that waits is tried next. */
    readonly dueAt?: Ms
  }>
  /**
   * On which day in UTC each credential and each user of the organization was last seen, by their ids, such as
   * `2026-11-23`. It carries no seal: it is the host's word.
   */
  readonly lastUses: () => Promise<ReadonlyMap<string, string>>
  /**
   * What the operator lets the organization use, as far as it is bounded. It carries no seal: it is the host's word.
   */
  readonly quotas: () => Promise<readonly QuotaUsed[]>
  /** Ids of the sub-organizations that are found so; each was read again and does answer. */
  readonly subOrganizations: (kind: string, value: string, page: PageRequest) => Promise<readonly string[]>
  /**
   * The sub-organizations of which a name or an e-mail address begins so, in order of that value; or all, the newest
   * first. `next` is where the page after this one begins; it is absent after the last.
   */
  readonly searchSubOrganizations: <T>(
    search: { readonly kind: LookupKind; readonly prefix: string } | undefined,
    page: { readonly limit: number; readonly after?: SubOrganizationCursor },
    view: (charter: Charter) => T,
  ) => Promise<{ readonly found: readonly T[]; readonly next?: SubOrganizationCursor }>
}

/** How much of a quota is used; `returnsAt`: when all of it is there again, of one that is counted by the day. */
type QuotaUsed = {
  readonly quota:
    | 'requests'
    | 'cost'
    | 'messages'
    | 'subOrganizationMessages'
    | 'objects'
    | 'subOrganizations'
    | 'storedBytes'
  readonly most: number
  readonly used: number
  readonly returnsAt?: Ms
}

/** A place in a list of sub-organizations. `value` is what was searched for; empty where all are listed. */
export type SubOrganizationCursor = { readonly value: string; readonly target: string }

/** An event for a webhook, which waits or was given up. */
export type WebhookDelivery = {
  readonly sequence: number
  readonly organizationId: string
  readonly activityId: string
  readonly revision: number
  readonly attempts: number
  readonly createdAt: Ms
  /** Why the last attempt failed. */
  readonly failure: string | null
}

export type PageRequest = { readonly limit: number; readonly before?: string; readonly after?: string }

/** A whole list or a judgement, the record of one activity, or charters of sub-organizations. */
export type Long = 'answer' | 'record' | 'charters'

type QueryDeclaration<Q, A> = {
  readonly operation: string
  readonly summary: string
  readonly request: Shape<Q>
  readonly response: Shape<A>
  /**
   * A request without the id of its organization, for the reference page, the OpenAPI document and the generated tests.
   */
  readonly example: NoInfer<Omit<Q, 'organizationId'>>
  /** It is an addition of this service, and no published client knows it. */
  readonly ours?: true
  /** What can be long: few of these requests are under way at once. Absent if nothing is. */
  readonly long?: Long
  /** The request may carry the parent's id: the sub-organization is then found by the credential of the stamp. */
  readonly findsSubOrganization?: true
  /** It may be stamped with a token, as the login is that it asks about. It answers from `activity` alone. */
  readonly attestable?: true
  answer(request: Q, reader: Reader): Promise<A | JsonText> | A | JsonText
}

export type Query = QueryDeclaration<unknown, unknown>

export function defineQuery<Q extends { readonly organizationId: string }, A>(
  declaration: QueryDeclaration<Q, A>,
): Query {
  return declaration
}
