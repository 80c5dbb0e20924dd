import { string } from '../../policy/types.ts'

/** `activity.params` of an activity about one user. */
export const userFacts = {
  types: { user_id: string },
  of: ({ userId }: { readonly userId: string }) => ({ user_id: userId }),
}
