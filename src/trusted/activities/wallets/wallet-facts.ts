import { present } from '../../base/assert.ts'
import type { Opened } from '../../catalogue/objects.ts'
import { readPath } from '../../crypto/hd-path.ts'
import {
  bool,
  type Facts,
  type Fields,
  int,
  list,
  string,
  struct,
  type Vocabulary,
} from '../../policy/types.ts'
import type { Wallet } from '../../objects/wallet.ts'
import type { AccountOfWallet } from '../../objects/wallet-account.ts'

const wallet = struct({ id: string, label: string, imported: bool, exported: bool })

const walletAccount = struct({
  address: string,
  path_indexes: list(int),
  path_hardened: list(bool),
  wallet_id: string,
  curve: string,
  address_format: string,
})

/** What policies may name for an activity that is about one wallet. */
export const walletNamespace: Vocabulary = { wallet }

/** What they may name for one that is about several. */
export const walletsNamespace: Vocabulary = { wallets: list(wallet) }

/** What they may name for one that uses an account of a wallet. */
export const walletAccountNamespace: Vocabulary = { wallet, wallet_account: walletAccount }

/** Of a wallet that is not there, policies see nothing: naming it is then an error for an ALLOW, and no match for a DENY. */
export function walletFacts([row]: readonly Opened<Wallet>[]): Facts {
  return row === undefined ? {} : { wallet: fieldsOf(row.body) }
}

export function walletsFacts(rows: readonly Opened<Wallet>[]): Facts {
  return { wallets: rows.map(({ body }) => fieldsOf(body)) }
}

/** The wallet and the account, which is known by its address alone. */
export function accountFacts({ account, wallet: row }: AccountOfWallet): Facts {
  return { wallet: fieldsOf(row.body), wallet_account: { address: account.body.address } }
}

/** As they are for the export of an account, which also shows where in its wallet the account is. */
export function exportedAccountFacts({ account, wallet: row }: AccountOfWallet): Facts {
  const { address, walletId, curve, addressFormat } = account.body
  const { indexes, hardened } = present(
    readPath(account.body.path),
    'the path of an account is one that was read',
  )
  return {
    wallet: fieldsOf(row.body),
    wallet_account: {
      address,
      path_indexes: indexes.map(BigInt),
      path_hardened: hardened,
      wallet_id: walletId,
      curve,
      address_format: addressFormat,
    },
  }
}

function fieldsOf({ walletId, walletName, imported, exported }: Wallet): Fields {
  return { id: walletId, label: walletName, imported, exported }
}
