import { defineQuery } from '../../../trusted/catalogue/query.ts'
import {
  boolean,
  list,
  object,
  oneOf,
  optional,
  organizationIdText,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { IP_RULES_PER_FAMILY_MAX } from '../../../trusted/charter/ip-allowlist.ts'
import { ipAllowlistView } from '../../../trusted/charter/view.ts'

const rule = object({
  cidr: text({ max: 64 }),
  label: optional(text({ max: 255 })),
  /** Milliseconds since 1970. */
  createdAt: text({ max: 16 }),
})

const allowlist = object({
  organizationId: uuid,
  publicKey: optional(text({ max: 140 })),
  enabled: boolean,
  onEvaluationError: optional(oneOf(['ALLOW', 'DENY'])),
  rules: list(rule, { max: 2 * IP_RULES_PER_FAMILY_MAX }),
})

export const getIpAllowlist = defineQuery({
  operation: 'get_ip_allowlist',
  summary: 'Get the IP allowlist of the organization or of one API key',
  request: object({
    organizationId: organizationIdText,
    publicKey: optional(text({ min: 1, max: 140 }), 'emptyIsGiven'),
  }),
  response: object({ allowlist }),
  example: {},
  answer: ({ publicKey: given }, { charter: { organizationId, ipAllowlists } }) => {
    const publicKey = given?.toLowerCase()
    const found = ipAllowlists.find((ipAllowlist) => ipAllowlist.publicKey === publicKey)
    return { allowlist: ipAllowlistView(organizationId, publicKey, found) }
  },
})
