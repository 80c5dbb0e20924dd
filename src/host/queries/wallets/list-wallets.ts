import { wallets } from '../../../trusted/objects/wallet.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { walletShape } from '../shapes.ts'
import { walletView } from './wallet-view.ts'

/** All of them, oldest first to the millisecond. */
export const listWallets = defineQuery({
  operation: 'list_wallets',
  summary: 'List the wallets of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ wallets: list(walletShape, { max: limits.wallets }) }),
  example: {},
  answer: async (_, { objects }) => ({ wallets: (await objects(wallets)).map(walletView) }),
})
