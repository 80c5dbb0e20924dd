import { defineQuery } from '../../../trusted/catalogue/query.ts'
import {
  list,
  named,
  object,
  oneOf,
  optional,
  organizationIdText,
  text,
} from '../../../trusted/catalogue/shape.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { QUOTAS, type QuotaName } from '../../store/quotas/quota.ts'
import { timestampShape } from '../shapes.ts'

const NAMES = {
  requests: 'QUOTA_REQUESTS',
  cost: 'QUOTA_COST',
  messages: 'QUOTA_MESSAGES',
  subOrganizationMessages: 'QUOTA_SUB_ORGANIZATION_MESSAGES',
  objects: 'QUOTA_OBJECTS',
  subOrganizations: 'QUOTA_SUB_ORGANIZATIONS',
  storedBytes: 'QUOTA_STORED_BYTES',
} as const satisfies Record<QuotaName, string>

const digits = text({ max: 16 })

const quotaShape = named(
  'Quota',
  object({
    quota: oneOf(QUOTAS.map((name) => NAMES[name])),
    most: digits,
    used: digits,
    returnsAt: optional(timestampShape),
  }),
)

/** The answer has no seal: quotas are set by the operator and counted by the host. */
export const listQuotas = defineQuery({
  operation: 'list_quotas',
  ours: true,
  summary: 'List the quotas that the operator has set for an organization, with their current usage',
  request: object({ organizationId: organizationIdText }),
  response: object({ organizationId: organizationIdText, quotas: list(quotaShape, { max: QUOTAS.length }) }),
  example: {},
  answer: async ({ organizationId }, { quotas }) => ({
    organizationId,
    quotas: (await quotas()).map(({ quota, most, used, returnsAt }) => ({
      quota: NAMES[quota],
      most: String(most),
      used: String(used),
      ...(returnsAt === undefined ? {} : { returnsAt: timestamp(returnsAt) }),
    })),
  }),
})
