/** What of an activity is known where its words are made. */
export type KnownActivity = {
  /** The type without prefix and version. */
  readonly kind: string
  readonly summary: string
  readonly resource: string
  readonly action: string
  readonly isVote?: true
  /** A request that has this field is read as one of another type. */
  readonly nextBy?: { readonly field: string; readonly type: string }
  readonly fields: KnownFields
}

/** By their types. */
export type KnownActivities = { readonly [type: string]: KnownActivity }

/** Names of fields in camelCase; those of the objects in them, in a list or not. */
export type KnownFields = { readonly [name: string]: KnownFields | 1 }
