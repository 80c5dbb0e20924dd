import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { boolean, label, list, object, oneOf, optional, text } from '../../catalogue/shape.ts'
import {
  invalidIpRule,
  keyOfNobody,
  normalizedRules,
  tooManyIpRules,
  withIpAllowlist,
} from '../../charter/ip-allowlist.ts'
import { tooMany } from '../../charter/limits.ts'
import { publicKeyText } from './public-key-text.ts'

// Duplicates are dropped before they are counted, so more may be sent than are kept.
const RULES_SENT_MAX = 100

const intent = object({
  // Without a key, the list applies to the whole organization.
  publicKey: optional(publicKeyText, 'emptyIsGiven'),
  enabled: optional(boolean),
  rules: optional(list(object({ cidr: text({ max: 64 }), label: optional(label) }), { max: RULES_SENT_MAX })),
  onEvaluationError: optional(oneOf(['ALLOW', 'DENY'])),
})

/** Replaces the whole list. Without `enabled`, a list with rules is in force. See docs/decisions/ip-allowlists.md. */
export const setIpAllowlist = defineActivity({
  operation: 'set_ip_allowlist',
  summary: 'Set the IP addresses from which the credentials of the organization, or one API key, can be used',
  forms: form('ACTIVITY_TYPE_SET_IP_ALLOWLIST', intent, {
    key: 'setIpAllowlistResult',
    shape: object({}),
  }),
  resource: 'CONFIG',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [invalidIpRule, tooManyIpRules, keyOfNobody, tooMany],
  example: {
    intent: {
      enabled: true,
      rules: [
        { cidr: '192.0.2.0/24', label: 'Office' },
        { cidr: '2001:db8:1::/48', label: 'Office' },
      ],
      onEvaluationError: 'DENY',
    },
    result: {},
  },
  validate: ({ rules = [] }) => {
    normalizedRules(rules)
  },

  execute({ intent: { publicKey, enabled, rules = [], onEvaluationError = 'DENY' }, charter, now }) {
    const list = {
      ...(publicKey === undefined ? {} : { publicKey: publicKey.toLowerCase() }),
      enabled: enabled ?? rules.length > 0,
      onEvaluationError,
      rules: normalizedRules(rules).map((rule) => ({ ...rule, createdAt: now })),
    }
    return { result: {}, charter: withIpAllowlist(charter, list) }
  },
})
