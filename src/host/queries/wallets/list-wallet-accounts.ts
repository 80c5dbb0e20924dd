import { type Wallet, walletNotFound, wallets } from '../../../trusted/objects/wallet.ts'
import { walletAccounts } from '../../../trusted/objects/wallet-account.ts'
import { defineQuery, type Reader } from '../../../trusted/catalogue/query.ts'
import {
  boolean,
  list,
  object,
  optional,
  organizationIdText,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { pageOf, paginationShape } from '../page.ts'
import { walletAccountShape } from '../shapes.ts'
import { walletAccountView } from './wallet-view.ts'

/**
 * In the order in which they were created, to the millisecond: identifiers begin with their time. The cost of a page
 * does not depend on the number of accounts; without a wallet a page is made from a page of each wallet.
 */
export const listWalletAccounts = defineQuery({
  operation: 'list_wallet_accounts',
  summary: 'List the accounts of one wallet or of all wallets, oldest first',
  request: object({
    organizationId: organizationIdText,
    walletId: optional(uuid),
    includeWalletDetails: optional(boolean),
    paginationOptions: optional(paginationShape),
  }),
  response: object({ accounts: list(walletAccountShape, { max: 100 }) }),
  example: { walletId: '0198c5a0-7d3c-7000-8000-000000000001', includeWalletDetails: true },
  answer: async ({ walletId, includeWalletDetails = false, paginationOptions }, reader) => {
    const { organizationId } = reader.charter
    const listed = await walletsListed(reader, walletId)
    const entries = listed.map((wallet) => ({ kind: 'WALLET', value: wallet.walletId }))
    const accounts = await reader.found(walletAccounts, entries, pageOf(paginationOptions))
    const detailsOf = (id: string) =>
      includeWalletDetails ? listed.find((wallet) => wallet.walletId === id) : undefined
    return {
      accounts: accounts.map((account) =>
        walletAccountView(account, { organizationId, wallet: detailsOf(account.walletId) }),
      ),
    }
  },
})

async function walletsListed(reader: Reader, walletId: string | undefined): Promise<readonly Wallet[]> {
  if (walletId === undefined) return await reader.objects(wallets)
  const wallet = await reader.object(wallets, walletId)
  if (wallet === undefined) throw walletNotFound({ walletId, organizationId: reader.charter.organizationId })
  return [wallet]
}
