import { walletNotFound, wallets } from '../../../trusted/objects/wallet.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { walletShape } from '../shapes.ts'
import { walletView } from './wallet-view.ts'

export const getWallet = defineQuery({
  operation: 'get_wallet',
  summary: 'Get a wallet, without its mnemonic',
  request: object({ organizationId: organizationIdText, walletId: uuid }),
  response: object({ wallet: walletShape }),
  example: { walletId: '0198c5a0-7d3c-7000-8000-000000000001' },
  answer: async ({ walletId }, { charter: { organizationId }, object }) => {
    const wallet = await object(wallets, walletId)
    if (wallet === undefined) throw walletNotFound({ walletId, organizationId })
    return { wallet: walletView(wallet) }
  },
})
