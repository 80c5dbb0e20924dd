import { AUDIT } from './audit-target.ts'

/**
 * The tenant in whose turn a job of an activity is handed out: the parent of the activity's organization, or the
 * organization itself. The audit stream is a tenant of its own.
 *
 * @param scope  the organization of the job, where there is no activity
 */
export function tenantOf(
  activity: { readonly audience: readonly string[] } | undefined,
  scope: string,
): string {
  if (scope === AUDIT.scope) return scope
  return activity?.audience.findLast((name) => name !== AUDIT.scope) ?? scope
}

/** Tenants are looked at one after the other, also those of which nothing is due: so many in one look. */
export const TENANTS_LOOKED_AT_MAX = 64
