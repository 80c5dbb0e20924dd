import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, text, uuid } from '../../catalogue/shape.ts'
import { userNotFound } from '../../charter/members.ts'
import { begunImport, importTargetOf, importTargets } from '../../objects/import-target.ts'

export const initImportPrivateKey = defineActivity({
  operation: 'init_import_private_key',
  summary: 'Make the key that a private key is encrypted to for its import',
  forms: form('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', object({ userId: uuid }), {
    key: 'initImportPrivateKeyResult',
    shape: object({ importBundle: text({ max: 4_096 }) }),
  }),
  resource: 'PRIVATE_KEY',
  action: 'IMPORT',
  authority: { kind: 'onlySelf', self: ({ userId }) => userId },
  amends: true,
  fails: [userNotFound],
  example: {
    intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
    result: {
      importBundle:
        '{"version":"v1.0.0","data":"7b22…7d","dataSignature":"3045…0a","enclaveQuorumPublic":"0402…94"}',
    },
  },
  needs: ({ userId }) => ({ earlier: importTargetOf(importTargets, userId) }),

  execute({ intent: { userId }, ...execution }) {
    return begunImport(importTargets, userId, execution)
  },
})
