import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional } from '../../catalogue/shape.ts'
import { withoutIpAllowlist } from '../../charter/ip-allowlist.ts'
import { publicKeyText } from './public-key-text.ts'

export const removeIpAllowlist = defineActivity({
  operation: 'remove_ip_allowlist',
  summary: 'Remove the IP allowlist of the organization or of one API key',
  forms: form(
    'ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST',
    object({ publicKey: optional(publicKeyText, 'emptyIsGiven') }),
    {
      key: 'removeIpAllowlistResult',
      shape: object({}),
    },
  ),
  resource: 'CONFIG',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [],
  example: {
    intent: { publicKey: '02b4632d08485ff1df2db55b9dafd23347d1c47a457072a1e87be26896549a8737' },
    result: {},
  },

  execute({ intent: { publicKey }, charter }) {
    return { result: {}, charter: withoutIpAllowlist(charter, publicKey?.toLowerCase()) }
  },
})
