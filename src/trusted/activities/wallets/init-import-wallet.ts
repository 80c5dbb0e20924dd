import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, text, uuid } from '../../catalogue/shape.ts'
import { userNotFound } from '../../charter/members.ts'
import { begunImport, importTargetOf } from '../../objects/import-target.ts'
import { walletImportTargets } from '../../objects/wallet-import-target.ts'

export const initImportWallet = defineActivity({
  operation: 'init_import_wallet',
  summary: 'Make the key that a mnemonic is encrypted to for its import',
  forms: form('ACTIVITY_TYPE_INIT_IMPORT_WALLET', object({ userId: uuid }), {
    key: 'initImportWalletResult',
    shape: object({ importBundle: text({ max: 4_096 }) }),
  }),
  resource: 'WALLET',
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
  // A new target takes the place of the one before.
  needs: ({ userId }) => ({ earlier: importTargetOf(walletImportTargets, userId) }),

  execute({ intent: { userId }, ...execution }) {
    return begunImport(walletImportTargets, userId, execution)
  },
})
