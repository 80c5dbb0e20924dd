import { defineFailure, errorBody, RESOURCE_EXHAUSTED } from '../../trusted/base/failure.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { nextDay } from '../store/quotas/counts.ts'
import { type Exhausted, isDaily, type QuotaName } from '../store/quotas/quota.ts'
import type { Reply } from './reply.ts'

type Told = { readonly most: number; readonly of: string }

const organizationOverQuota = defineFailure<Told>({
  kind: 'organizationOverQuota',
  code: RESOURCE_EXHAUSTED,
  say: ({ most, of }) =>
    `this organization cannot execute activities because it is over its allotted quota of ${most} ${of}, which the operator of this service can raise`,
})

const parentOverQuota = defineFailure<Pick<Told, 'of'>>({
  kind: 'parentOverQuota',
  code: RESOURCE_EXHAUSTED,
  say: ({ of }) =>
    `this sub-organization cannot execute activities because its parent is over its allotted quota of ${of}, which the operator of this service can raise`,
})

const newOrganizationOverQuota = defineFailure<Told>({
  kind: 'newOrganizationOverQuota',
  code: RESOURCE_EXHAUSTED,
  say: ({ most, of }) =>
    `the new sub-organization would be over its allotted quota of ${most} ${of}, which the operator of this service can raise`,
})

/** The names in messages. */
const NAMES: Readonly<Record<QuotaName, string>> = {
  requests: 'requests a day',
  cost: 'units of cost a day',
  messages: 'e-mails and text messages a day',
  subOrganizationMessages: 'e-mails and text messages of sub-organizations a day',
  objects: 'objects',
  subOrganizations: 'sub-organizations',
  storedBytes: 'stored bytes',
}

/**
 * The answer to a request that would exceed a quota. It leaves no record, so the same bytes may be sent again.
 *
 * @param audience  the organization of the request, and its parent where it has one
 */
export function overQuota(
  { organizationId, quota, most }: Exhausted,
  audience: readonly string[],
  now: Ms,
): Extract<Reply, { readonly kind: 'error' }> {
  const told = { most, of: NAMES[quota] }
  const [own, parent] = audience
  const failure =
    organizationId === own
      ? organizationOverQuota(told)
      : // The numbers of a parent are not its sub-organizations' to know.
        organizationId === parent
        ? parentOverQuota(told)
        : newOrganizationOverQuota(told)
  return {
    kind: 'error',
    error: errorBody(failure),
    ...(isDaily(quota) ? { headers: retryHeaders(nextDay(now) - now) } : {}),
  }
}

function retryHeaders(ms: Ms): Readonly<Record<string, string>> {
  return { 'retry-after': String(Math.ceil(ms / 1_000)), 'access-control-expose-headers': 'retry-after' }
}
