import type { Decision } from '../../../protocol/vault.ts'

/** A decision that has not been handed out yet. */
export type Judged =
  | Exclude<Decision, { readonly kind: 'commit' }>
  | Omit<Extract<Decision, { readonly kind: 'commit' }>, 'ticket'>
