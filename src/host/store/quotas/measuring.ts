/**
 * Which rows count: those that stay until somebody deletes them. The target of an import is one for each user, and goes
 * with the import. The text of a policy stays for the records that name it and is deleted by nobody: a member who
 * writes policies could fill a quota for good.
 */
export const COUNTS =
  "expires_at IS NULL AND kind NOT IN ('import_target', 'wallet_import_target', 'policy_text')"

/** The directory's entry of a sub-organization, under the id of its parent. */
export const IS_SUB_ORGANIZATION = "kind = 'SUB_ORGANIZATION' AND value = ''"
