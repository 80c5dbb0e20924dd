import { type LoginKeys, noLoginKeys } from '../credentials/held-keys.ts'
import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import { type Placed, place } from '../../catalogue/objects.ts'
import { int32, label, object, optional, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { MNEMONIC_LENGTHS, newMnemonic } from '../../crypto/mnemonic.ts'
import {
  type AccountParams,
  accountsParams,
  addressesMade,
  checkAccounts,
  newAccounts,
} from './new-accounts.ts'
import { type Wallet, wallets } from '../../objects/wallet.ts'
import { seedKeyOf, type Words, withSeed, wordsSecret } from './wallet-secret.ts'

export const walletFields = {
  walletName: label,
  accounts: accountsParams,
  mnemonicLength: optional(int32),
}
export const walletParams = object(walletFields)
type WalletParams = TypeOf<typeof walletParams>

/** The answer for a new wallet. */
export const walletMade = object({ walletId: uuid, addresses: addressesMade })

const MNEMONIC_LENGTH_DEFAULT = 12

export const invalidMnemonicLength = defineFailure<{ readonly mnemonicLength: number }>({
  kind: 'invalidMnemonicLength',
  code: INVALID_ARGUMENT,
  say: ({ mnemonicLength }) =>
    `invalid mnemonic length: a mnemonic has ${MNEMONIC_LENGTHS.join(', ')} words, not ${mnemonicLength}`,
})

/** Checks the parameters before approvals are requested. */
export function checkWalletParams({ mnemonicLength, accounts }: WalletParams): void {
  if (mnemonicLength !== undefined && !MNEMONIC_LENGTHS.includes(mnemonicLength))
    throw invalidMnemonicLength({ mnemonicLength })
  checkAccounts(accounts)
}

type NewWallet = {
  readonly result: TypeOf<typeof walletMade>
  /** The wallet and its accounts, with secrets that the vault wipes. */
  readonly placed: readonly Placed[]
}

/** Generates a wallet with these accounts. */
export async function generatedWallet(
  { walletName, accounts, mnemonicLength }: WalletParams,
  {
    randomBytes,
    ...at
  }: {
    readonly now: Ms
    readonly newId: () => string
    readonly randomBytes: (length: number) => Uint8Array
    readonly work: Work
  },
): Promise<NewWallet> {
  const sentence = newMnemonic(mnemonicLength ?? MNEMONIC_LENGTH_DEFAULT, randomBytes)
  return await newWallet({
    walletName,
    accounts,
    words: { sentence, passphrase: '' },
    imported: false,
    // Newly generated keys cannot be login keys.
    loginKeys: noLoginKeys,
    ...at,
  })
}

/** The wallet of these words. The commit detects a name or seed that already exists, at the latest. */
export async function newWallet({
  walletName,
  accounts,
  words,
  imported,
  loginKeys,
  now,
  newId,
  work,
}: {
  readonly walletName: string
  readonly accounts: readonly AccountParams[]
  readonly words: Words
  readonly imported: boolean
  readonly loginKeys: LoginKeys
  readonly now: Ms
  readonly newId: () => string
  readonly work: Work
}): Promise<NewWallet> {
  const walletId = newId()
  return await withSeed(words, work, async (seed) => {
    const wallet: Wallet = {
      walletId,
      walletName,
      mnemonicLength: words.sentence.split(' ').length,
      seedKey: seedKeyOf(seed),
      imported,
      exported: false,
      createdAt: now,
      updatedAt: now,
    }
    const { addresses, placed } = await newAccounts({ seed, walletId, accounts, loginKeys, now, newId, work })
    return {
      result: { walletId, addresses },
      placed: [place(wallets, walletId, wallet, wordsSecret(words)), ...placed],
    }
  })
}
