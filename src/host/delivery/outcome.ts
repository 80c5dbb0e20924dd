import type { Ms } from '../../trusted/base/world.ts'

/** The outcome of one attempt at a job. A failure is one sentence without secrets, because operators read it. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** The job is no longer needed. */
  | { readonly kind: 'dropped' }
  /** Another attempt may succeed, after the time that the destination has asked for. */
  | { readonly kind: 'failed'; readonly failure: string; readonly retryAfterMs?: Ms | undefined }
  /** Another attempt would fail as well. */
  | { readonly kind: 'refused'; readonly failure: string }

/** A job that may be attempted as soon as its destination has room. */
export type Prepared = {
  readonly kind: 'ready'
  /** The destination for limits of concurrency: a host, or the mail server. */
  readonly place: string
  /** Where the destination takes fewer at once than others: a wait for it must not be part of an attempt. */
  readonly placeMax?: number
  /** The tenant for the same limits: the top-level organization. */
  readonly tenant: string
  /** Within the tenant: the organization of a message, or of the endpoint of a webhook. */
  readonly organization: string
  readonly attempt: () => Promise<Outcome>
}
