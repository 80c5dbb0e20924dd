import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { everyObject, place } from '../../catalogue/objects.ts'
import { label, object, optional, uuid } from '../../catalogue/shape.ts'
import { string } from '../../policy/types.ts'
import {
  checkNewWalletName,
  knownWallet,
  walletNameTaken,
  walletNotFound,
  wallets,
} from '../../objects/wallet.ts'

export const updateWallet = defineActivity({
  operation: 'update_wallet',
  summary: 'Rename a wallet',
  forms: form('ACTIVITY_TYPE_UPDATE_WALLET', object({ walletId: uuid, walletName: optional(label) }), {
    key: 'updateWalletResult',
    shape: object({ walletId: uuid }),
  }),
  resource: 'WALLET',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [walletNotFound, walletNameTaken],
  example: {
    intent: { walletId: '0198c5a0-7d3c-7000-8000-000000000001', walletName: 'Cold treasury' },
    result: { walletId: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  params: { types: { wallet_id: string }, of: ({ walletId }) => ({ wallet_id: walletId }) },
  needs: () => ({ wallets: everyObject(wallets) }),

  execute({ intent: { walletId, walletName }, charter, rows, now }) {
    const { body, secret } = knownWallet(rows.wallets, walletId, charter.organizationId)
    if (walletName === undefined || walletName === body.walletName) return { result: { walletId } }
    checkNewWalletName(rows.wallets, walletName, walletId)
    return {
      result: { walletId },
      put: [place(wallets, walletId, { ...body, walletName, updatedAt: now }, secret)],
    }
  },
})
