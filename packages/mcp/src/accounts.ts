import * as z from 'zod'
import { asData, type Data } from './data.ts'
import type { Service } from './service.ts'

/** Something to sign with, by its address. */
export type Account = {
  readonly signWith: string
  readonly chain: string
  readonly curve: string
  readonly walletId?: string
  readonly privateKeyId?: string
  readonly name?: Data
}

const accounts = z.object({
  accounts: z.array(
    z.object({
      walletAccountId: z.string(),
      walletId: z.string(),
      curve: z.string(),
      addressFormat: z.string(),
      address: z.string(),
      walletDetails: z.object({ walletName: z.string() }).optional(),
    }),
  ),
})

const keys = z.object({
  privateKeys: z.array(
    z.object({
      privateKeyId: z.string(),
      privateKeyName: z.string(),
      curve: z.string(),
      addresses: z.array(z.object({ format: z.string(), address: z.string() })),
    }),
  ),
})

const ACCOUNTS_PAGE = 100

/** A page of the accounts of wallets, the newest first, and the id to go on after. */
export async function walletAccounts(
  { query }: Service,
  { organizationId, walletId, after }: { organizationId: string; walletId?: string; after?: string },
  signal: AbortSignal,
): Promise<{ readonly accounts: readonly Account[]; readonly continueAfter?: string }> {
  const asked = {
    organizationId,
    ...(walletId === undefined ? {} : { walletId }),
    includeWalletDetails: true,
    paginationOptions: { limit: String(ACCOUNTS_PAGE), ...(after === undefined ? {} : { after }) },
  }
  const { accounts: page } = await query('list_wallet_accounts', asked, accounts, signal)
  const last = page.at(-1)?.walletAccountId
  return {
    accounts: page.map(({ walletId: of, curve, addressFormat, address, walletDetails }) => ({
      signWith: address,
      chain: chainOf(addressFormat),
      curve,
      walletId: of,
      ...(walletDetails === undefined ? {} : { name: asData(walletDetails.walletName) }),
    })),
    ...(page.length < ACCOUNTS_PAGE || last === undefined ? {} : { continueAfter: last }),
  }
}

/** Private keys that stand alone; one without an address signs by its id. */
export async function privateKeyAccounts(
  { query }: Service,
  organizationId: string,
  signal: AbortSignal,
): Promise<readonly Account[]> {
  const { privateKeys } = await query('list_private_keys', { organizationId }, keys, signal)
  return privateKeys.flatMap(({ privateKeyId, privateKeyName, curve, addresses }) => {
    const named = { privateKeyId, curve, name: asData(privateKeyName) }
    if (addresses.length === 0) return [{ signWith: privateKeyId, chain: 'any', ...named }]
    return addresses.map(({ format, address }) => ({ signWith: address, chain: chainOf(format), ...named }))
  })
}

function chainOf(addressFormat: string): string {
  return addressFormat.replace(/^ADDRESS_FORMAT_/, '').toLowerCase()
}
