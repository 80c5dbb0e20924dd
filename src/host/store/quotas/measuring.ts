/**
 * The rows that count: those that stay until a user deletes them. The target of an import is one for each user, and is
 * removed with the import. The text of a policy stays for the records that name it, and cannot be deleted: an author of
 * policies could fill a quota permanently.
 */
export const COUNTS =
  "expires_at IS NULL AND kind NOT IN ('import_target', 'wallet_import_target', 'policy_text')"

/** The directory's entry of a sub-organization, under the id of its parent. */
export const IS_SUB_ORGANIZATION = "kind = 'SUB_ORGANIZATION' AND value = ''"
