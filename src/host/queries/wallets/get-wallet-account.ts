import { walletNotFound, wallets } from '../../../trusted/objects/wallet.ts'
import {
  pathClaim,
  type WalletAccount,
  walletAccountNotFound,
  walletAccounts,
} from '../../../trusted/objects/wallet-account.ts'
import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../../../trusted/base/failure.ts'
import { defineQuery, type Reader } from '../../../trusted/catalogue/query.ts'
import { object, optional, organizationIdText, shown, text, uuid } from '../../../trusted/catalogue/shape.ts'
import { addressFormats, curvesOf } from '../../../trusted/chains/address-format.ts'
import { readPath } from '../../../trusted/crypto/hd-path.ts'
import { walletAccountShape } from '../shapes.ts'
import { walletAccountView } from './wallet-view.ts'

const addressOrPathMissing = defineFailure({
  kind: 'addressOrPathMissing',
  code: INVALID_ARGUMENT,
  say: () => 'invalid request body: missing field `address` or `path`',
})

const noAccountAtPath = defineFailure<{ readonly path: string }>({
  kind: 'noAccountAtPath',
  code: NOT_FOUND,
  say: ({ path }) => `Could not find wallet account with path: ${shown(path)}`,
})

// Several accounts of a wallet share an address only where one key has it in several formats.
const SHARING_MAX = 100

/** Returns the oldest of several accounts with the address or at the path. */
export const getWalletAccount = defineQuery({
  operation: 'get_wallet_account',
  summary: 'Get a wallet account by its address or by its path',
  request: object({
    organizationId: organizationIdText,
    walletId: uuid,
    address: optional(text({ max: 256 })),
    path: optional(text({ max: 512 })),
  }),
  response: object({ account: walletAccountShape }),
  example: {
    walletId: '0198c5a0-7d3c-7000-8000-000000000001',
    address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
  },
  answer: async ({ walletId, address, path }, reader) => {
    const { organizationId } = reader.charter
    if (address === undefined && path === undefined) throw addressOrPathMissing()
    if ((await reader.object(wallets, walletId)) === undefined)
      throw walletNotFound({ walletId, organizationId })
    const withAddress = address === undefined ? undefined : await accountsWith(reader, walletId, address)
    const atPath = path === undefined ? undefined : await accountsAt(reader, walletId, path)
    const account = oldest(common(withAddress, atPath))
    if (account !== undefined)
      return { account: walletAccountView(account, { organizationId, wallet: undefined }) }
    throw address === undefined ? noAccountAtPath({ path: path ?? '' }) : walletAccountNotFound({ address })
  },
})

type Accounts = readonly WalletAccount[]

async function accountsWith({ found }: Reader, walletId: string, address: string): Promise<Accounts> {
  const accounts = await found(walletAccounts, [{ kind: 'ADDRESS', value: address }], { limit: SHARING_MAX })
  return accounts.filter((account) => account.walletId === walletId)
}

/** An account is known by its path together with its curve and format, and there are few of these. */
async function accountsAt({ claiming }: Reader, walletId: string, path: string): Promise<Accounts> {
  if (readPath(path) === undefined) return []
  return await claiming(
    walletAccounts,
    addressFormats.flatMap((addressFormat) =>
      curvesOf(addressFormat).map((curve) => pathClaim({ walletId, curve, path, addressFormat })),
    ),
  )
}

function common(a: Accounts | undefined, b: Accounts | undefined): Accounts {
  if (a === undefined || b === undefined) return a ?? b ?? []
  return a.filter(({ walletAccountId }) => b.some((other) => other.walletAccountId === walletAccountId))
}

function oldest(accounts: Accounts): WalletAccount | undefined {
  return accounts.toSorted((a, b) => (a.walletAccountId < b.walletAccountId ? -1 : 1))[0]
}
