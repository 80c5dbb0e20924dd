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

/** The facts for policies about an activity on one wallet. */
export const walletNamespace: Vocabulary = { wallet }

/** The facts about an activity on several wallets. */
export const walletsNamespace: Vocabulary = { wallets: list(wallet) }

/** The facts about an activity that uses a wallet account. */
export const walletAccountNamespace: Vocabulary = { wallet, wallet_account: walletAccount }

/**
 * A wallet that does not exist has no facts: a rule that names it is then an error for an ALLOW, and does not match for
 * a DENY.
 */
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

/** The facts for the export of an account, which also include its path in the wallet. */
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
