import { Bug } from '../../base/assert.ts'
import { defineFailure, FAILED_PRECONDITION } from '../../base/failure.ts'
import { isUuid } from '../../base/ids.ts'
import type { Secret } from '../../base/secret.ts'
import type { Gathered, ObjectsNeed } from '../../catalogue/objects.ts'
import type { AddressFormat } from '../../chains/address-format.ts'
import type { Curve } from '../../crypto/curve.ts'
import type { Facts, Vocabulary } from '../../policy/types.ts'
import { keyToSignWith, nothingToSignWith, type PrivateKey } from '../../objects/private-key.ts'
import { privateKeyFacts, privateKeyNamespace } from '../private-keys/private-key-facts.ts'
import {
  type AccountNeeds,
  accountIn,
  accountsWithAddress,
  noAccounts,
} from '../../objects/wallet-account.ts'
import { accountFacts, walletAccountNamespace } from '../wallets/wallet-facts.ts'

/** The signing key: a private key or a wallet account. */
export type SigningKey = {
  readonly curve: Curve
  /** secp256k1 and P-256: 33 bytes compressed; Ed25519: 32 bytes; lowercase hex. */
  readonly publicKey: string
  /** 32 bytes. */
  readonly secret: Secret
  /** The format of the address that names the key; undefined where its id names it. */
  readonly addressFormat: AddressFormat | undefined
  /** Its facts for policies: `private_key`, or `wallet` and `wallet_account`. */
  readonly facts: Facts
}

/** The facts for policies about an activity that signs. */
export const signingNamespace: Vocabulary = { ...privateKeyNamespace, ...walletAccountNamespace }

export type SigningNeeds = { readonly key: ObjectsNeed<PrivateKey> } & AccountNeeds

/** @param signWith  the id of a private key, or an address exactly as it is stored */
export function signingNeeds(signWith: string): SigningNeeds {
  return { key: keyToSignWith(signWith), ...(isUuid(signWith) ? noAccounts : accountsWithAddress(signWith)) }
}

const severalToSignWith = defineFailure<{ readonly signWith: string; readonly privateKeyId: string }>({
  kind: 'severalToSignWith',
  code: FAILED_PRECONDITION,
  say: ({ signWith, privateKeyId }) =>
    `both a wallet account and private key ${privateKeyId} have the address ${signWith}: name the private key by its id, or delete one of them`,
})

export const signingKeyFailures = [nothingToSignWith, severalToSignWith]

/**
 * The named signing key. A private key and a wallet account can have the same address, when one was exported and
 * imported as the other. Policies distinguish them, so an ambiguous address is refused (docs/decisions/wallets.md).
 */
export function signingKey(rows: Gathered<SigningNeeds>, signWith: string): SigningKey {
  const [key, another] = rows.key
  // Keys of an organization cannot share an address, because they cannot share their material.
  if (another !== undefined) throw new Bug('two keys have one address')
  const account = accountIn(rows.accounts, rows.wallets)
  if (account !== undefined) {
    if (key !== undefined) throw severalToSignWith({ signWith, privateKeyId: key.objectId })
    const { body, secret } = account.account
    const { curve, publicKey, addressFormat } = body
    return { curve, publicKey, secret, addressFormat, facts: accountFacts(account) }
  }
  if (key === undefined) throw nothingToSignWith()
  const { curve, publicKey, addresses } = key.body
  const addressFormat = addresses.find(({ address }) => address === signWith)?.format
  return { curve, publicKey, secret: key.secret, addressFormat, facts: privateKeyFacts([key]) }
}
