import type { Answered } from '../service/answered.ts'
import type { Session } from '../session/session.ts'
import { plainText, shortId } from '../words/plain-text.ts'

/** What holds a secret, with the fields by which a request names it. */
export type Holding = {
  readonly kind: 'wallet' | 'account' | 'privateKey'
  /** Of the choice in this page. */
  readonly id: string
  readonly name: string
  readonly parameters: { readonly [field: string]: string }
  /** The address that the request names, where a key can be compared with it. */
  readonly address?: string
  /** Of a wallet there is none. */
  readonly curve?: string
  readonly publicKey?: string
}

/** Wallets, each followed by its accounts, and keys that are in no wallet. */
export async function holdings(session: Session): Promise<readonly Holding[]> {
  const [wallets, keys] = await Promise.all([
    session.query('list_wallets').then((answer) => answer.list('wallets')),
    session.query('list_private_keys').then((answer) => answer.list('privateKeys')),
  ])
  const found: Holding[] = []
  for (const wallet of wallets.slice(0, WALLETS_MAX)) {
    const [walletId, name] = [wallet.text('walletId'), plainText(wallet.text('walletName'))]
    found.push({ kind: 'wallet', id: walletId, name: name + shortId(walletId), parameters: { walletId } })
    const answer = await session.query('list_wallet_accounts', { walletId, paginationOptions: PAGE })
    found.push(...answer.list('accounts').map((account) => accountOf(account, name)))
  }
  return [...found, ...keys.map(keyOf)]
}

const WALLETS_MAX = 20
const PAGE = { limit: '100' }
/** The chains whose addresses this page works out of a key. */
const COMPARED = ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_SOLANA']

function accountOf(account: Answered, wallet: string): Holding {
  const address = account.text('address')
  return {
    kind: 'account',
    id: account.text('walletAccountId'),
    name: `${wallet}: ${plainText(address)}`,
    parameters: { address },
    ...keyIn(account),
    ...(COMPARED.includes(account.text('addressFormat')) ? { address } : {}),
  }
}

function keyOf(key: Answered): Holding {
  const privateKeyId = key.text('privateKeyId')
  const name = plainText(key.text('privateKeyName')) + shortId(privateKeyId)
  return { kind: 'privateKey', id: privateKeyId, name, parameters: { privateKeyId }, ...keyIn(key) }
}

function keyIn(found: Answered): Pick<Holding, 'curve' | 'publicKey'> {
  return { curve: found.text('curve'), publicKey: found.text('publicKey') }
}
