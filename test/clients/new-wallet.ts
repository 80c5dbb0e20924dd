import { assertActivityCompleted } from '@turnkey/http'
import { present } from '../../src/trusted/base/assert.ts'
import type { Stranger } from './setting.ts'

type CreateWallet = Parameters<Stranger['client']['createWallet']>[0]['parameters']
export type WalletAccounts = CreateWallet['accounts']

/** A wallet of a name no other has, with these accounts; their addresses are in the same order. */
export async function newWallet(
  { client, activity }: Pick<Stranger, 'client' | 'activity'>,
  accounts: WalletAccounts,
): Promise<{ readonly walletId: string; readonly addresses: readonly string[] }> {
  const created = await client.createWallet(
    activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: `Wallet ${crypto.randomUUID()}`, accounts }),
  )
  assertActivityCompleted(created.activity)
  return present(created.activity.result.createWalletResult, 'the result')
}

/** The address of the only account of a new wallet. */
export async function newAddress(
  person: Pick<Stranger, 'client' | 'activity'>,
  account: WalletAccounts[number],
): Promise<string> {
  const { addresses } = await newWallet(person, [account])
  return present(addresses[0], 'one for each account')
}

export const ethereumAccount: WalletAccounts[number] = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
}

export const solanaAccount: WalletAccounts[number] = {
  curve: 'CURVE_ED25519',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/501'/0'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
}
