import { printable } from '../policies/printable.ts'
import { ServiceError } from '../signed-query.ts'
import { CommandError } from '../command-error.ts'
import type { CreateOptions } from './create-options.ts'
import { type Make, resultIn } from './make.ts'
import { accountsOf, type Organization, walletsOf } from './organization.ts'
import { agentLabel } from './wanted-agent.ts'

/** The wallet of an agent, and its account on the chain; undefined if the agent does not sign. */
export async function makeWallet(
  options: CreateOptions,
  organization: Organization,
  make: Make,
): Promise<{ readonly walletId: string; readonly address: string } | undefined> {
  if (!signs(options)) return undefined
  const { name, chain } = options
  const walletId =
    (await presentWallet(options, organization)) ??
    (await newWallet(organization, agentLabel(name), chain, make))
  const address = await addressIn(organization, walletId, chain)
  if (address !== undefined) return { walletId, address }
  await make(organization, {
    type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
    parameters: { walletId, accounts: [chain.account] },
    mark: walletId,
  })
  const made = await addressIn(organization, walletId, chain)
  if (made === undefined)
    throw new ServiceError(`the service has made the account of wallet ${walletId}, and does not list it`)
  return { walletId, address: made }
}

function signs({ template }: CreateOptions): boolean {
  return template === 'payer' || template === 'worker'
}

/**
 * The wallet that an agent is to sign with, if it is there.
 *
 * @param organization  undefined if it is still to be made
 * @throws CommandError  if it is named and not there, or if others may hold it
 */
export async function presentWallet(
  options: CreateOptions,
  organization: Organization | undefined,
): Promise<string | undefined> {
  if (!signs(options)) return undefined
  const { name, wallet: called } = options
  const wallets = organization === undefined ? [] : await walletsOf(organization.caller)
  const walletName = called ?? agentLabel(name)
  const wallet =
    wallets.find((one) => one.walletId === walletName) ?? wallets.find((one) => one.walletName === walletName)
  if (wallet === undefined && called !== undefined)
    throw new CommandError(`--wallet: there is no wallet called ${printable(called)}`)
  // An attacker may have made it for the agent to find, and may know its recovery phrase.
  if (called === undefined && (wallet?.imported === true || wallet?.exported === true))
    throw new CommandError(
      `the wallet ${walletName} was imported or exported, so it may have other holders: choose a wallet with --wallet`,
    )
  return wallet?.walletId
}

async function addressIn(
  { caller }: Organization,
  walletId: string,
  chain: CreateOptions['chain'],
): Promise<string | undefined> {
  const accounts = await accountsOf(caller, walletId)
  return accounts.find(({ addressFormat }) => addressFormat === chain.account.addressFormat)?.address
}

async function newWallet(
  organization: Organization,
  walletName: string,
  chain: CreateOptions['chain'],
  make: Make,
): Promise<string> {
  const result = await make(organization, {
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    parameters: { walletName, accounts: [chain.account] },
    mark: walletName,
  })
  return String(resultIn(result, 'createWalletResult', 'walletId'))
}
