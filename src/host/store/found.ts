/**
 * The number of rows that a lookup of a decision has found in all: objects of a kind, or the targets under an entry of
 * the directory. A change or a removal of such a row amends the charter; an added row does not, and is found by this.
 */
export type Found = {
  readonly organizationId: string
  readonly count: number
} & (
  | { readonly of: 'kind'; readonly kind: string }
  | { readonly of: 'entry'; readonly kind: string; readonly value: string }
)
