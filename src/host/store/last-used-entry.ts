/**
 * The kind of the entries with the day of the last use of a credential or a user. The scope is the organization, the
 * value the id of the credential or of the user, the target the day in UTC, such as `2026-11-23`.
 */
export const LAST_USED = 'LAST_USED'
