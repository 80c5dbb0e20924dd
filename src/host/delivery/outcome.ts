/** What came of one attempt at a job. A failure is one sentence without secrets: operators read it. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** Nobody wants it any more. */
  | { readonly kind: 'dropped' }
  /** Worth another attempt. */
  | { readonly kind: 'failed'; readonly failure: string }
  /** Another attempt would change nothing. */
  | { readonly kind: 'refused'; readonly failure: string }

/** A job that may be attempted as soon as there is room where it goes. */
export type Prepared = {
  readonly kind: 'ready'
  /** Where it goes, as far as room is concerned: a host, or the mail server. */
  readonly place: string
  readonly attempt: () => Promise<Outcome>
}
