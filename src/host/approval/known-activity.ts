/** The known properties of an activity, from which its words are made. */
export type KnownActivity = {
  /** The type without prefix and version. */
  readonly kind: string
  readonly summary: string
  readonly resource: string
  readonly action: string
  readonly isVote?: true
  /** A request with this field is read as a request of another type. */
  readonly nextBy?: { readonly field: string; readonly type: string }
  readonly fields: KnownFields
}

/** The activities by type. */
export type KnownActivities = { readonly [type: string]: KnownActivity }

/** Names of fields in camelCase, with those of nested objects, also in lists. */
export type KnownFields = { readonly [name: string]: KnownFields | 1 }
