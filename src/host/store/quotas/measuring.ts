/**
 * Which rows count: those that stay until somebody deletes them. The target of an import is one for each user, and goes with the import.
 */
export const COUNTS = "expires_at IS NULL AND kind NOT IN ('import_target', 'wallet_import_target')"

/** Rows that the service keeps for an organization, and that nobody can delete, are no objects of its own; their bytes count. */
const KEPT_KIND = 'policy_text'

export const IS_OBJECT = `kind <> '${KEPT_KIND}'`

/** The directory's entry of a sub-organization, under the id of its parent. */
export const IS_SUB_ORGANIZATION = "kind = 'SUB_ORGANIZATION' AND value = ''"
