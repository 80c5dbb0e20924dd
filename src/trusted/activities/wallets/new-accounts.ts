import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import type { Steps, Work } from '../../base/work.ts'
import { Secret } from '../../base/secret.ts'
import type { Ms } from '../../base/world.ts'
import { type Placed, place } from '../../catalogue/objects.ts'
import { label, list, object, oneOf, optional, text, type TypeOf } from '../../catalogue/shape.ts'
import { addressFormats, addressOf } from '../../chains/address-format.ts'
import { CURVES } from '../../crypto/curve.ts'
import { derivationSteps } from '../../crypto/derivation.ts'
import { type HdPath, readPath } from '../../crypto/hd-path.ts'
import { curves } from '../../crypto/curves.ts'
import { invalidAddressFormat } from '../../chains/failures.ts'
import {
  checkNoLoginKey,
  heldKeyIsApiKey,
  heldKeyIsWallet,
  type LoginKeys,
  noLoginKeys,
} from '../credentials/held-keys.ts'
import { checkAddressFormats } from '../private-keys/address-formats.ts'
import {
  pathAlreadyExists,
  pathClaim,
  type WalletAccount,
  walletAccountNameTaken,
  walletAccounts,
} from '../../objects/wallet-account.ts'

/** Derivation takes time, and the vault's other requests wait meanwhile. */
export const ACCOUNTS_AT_ONCE_MAX = 1_000
const LEVELS_AT_ONCE_MAX = 6_000
const PATH_CHARACTERS_MAX = 512

export const accountParams = object({
  curve: oneOf(CURVES),
  pathFormat: oneOf(['PATH_FORMAT_BIP32']),
  path: text({ min: 1, max: PATH_CHARACTERS_MAX }),
  addressFormat: oneOf(addressFormats),
  name: optional(label),
})
export type AccountParams = TypeOf<typeof accountParams>

export const accountsParams = list(accountParams, { max: ACCOUNTS_AT_ONCE_MAX })

/** In the order in which the accounts were given. */
export const addressesMade = list(text({ max: 200 }), { max: ACCOUNTS_AT_ONCE_MAX })

const invalidPath = defineFailure<{ readonly path: string }>({
  kind: 'invalidPath',
  code: INVALID_ARGUMENT,
  say: ({ path }) =>
    `invalid path: ${JSON.stringify(path)} is not m followed by levels such as /0 or /44', each below 2147483648`,
})

const accountGivenTwice = defineFailure<{ readonly index: number; readonly earlier: number }>({
  kind: 'accountGivenTwice',
  code: INVALID_ARGUMENT,
  say: ({ index, earlier }) => `invalid path: accounts[${index}] is the same as accounts[${earlier}]`,
})

const tooManyLevels = defineFailure<{ readonly levels: number }>({
  kind: 'tooManyLevels',
  code: INVALID_ARGUMENT,
  say: ({ levels }) =>
    `invalid path: the paths of one request may have at most ${LEVELS_AT_ONCE_MAX} levels in all, not ${levels}`,
})

/** The possible failures of creating accounts, except for those of their wallet. */
export const newAccountFailures = [
  invalidPath,
  accountGivenTwice,
  tooManyLevels,
  invalidAddressFormat,
  pathAlreadyExists,
  walletAccountNameTaken,
  heldKeyIsApiKey,
  heldKeyIsWallet,
]

/** Checks the accounts by themselves, before approvals are requested. */
export function checkAccounts(accounts: readonly AccountParams[]): void {
  const levels = accounts.reduce((sum, { path }) => sum + pathOf(path).indexes.length, 0)
  if (levels > LEVELS_AT_ONCE_MAX) throw tooManyLevels({ levels })
  const places = new Map<string, number>()
  const names = new Set<string>()
  for (const [index, account] of accounts.entries()) {
    checkAddressFormats(account.curve, [account.addressFormat])
    const { value } = pathClaim({ ...account, walletId: '' })
    const earlier = places.get(value)
    if (earlier !== undefined) throw accountGivenTwice({ index, earlier })
    places.set(value, index)
    const { name } = account
    if (name === undefined) continue
    if (names.has(name)) throw walletAccountNameTaken({ name })
    names.add(name)
  }
}

/** Only the addresses, in the same order; nothing is stored. */
export async function addressesIn(
  seed: Uint8Array,
  accounts: readonly AccountParams[],
  work: Work,
): Promise<readonly string[]> {
  return (await work.through(derived(seed, accounts, noLoginKeys))).map(({ secret, address }) => {
    secret.fill(0)
    return address
  })
}

/**
 * Derives these accounts, which have been checked. The commit detects paths and names that are taken.
 *
 * @param seed     of their wallet
 * @param loginKeys  keys and wallets of log-ins, which none of the accounts may have
 * @returns        both in the order of `accounts`; `placed` holds the secrets, which the vault wipes
 */
export async function newAccounts({
  seed,
  walletId,
  accounts,
  loginKeys,
  now,
  newId,
  work,
}: {
  readonly seed: Uint8Array
  readonly walletId: string
  readonly accounts: readonly AccountParams[]
  readonly loginKeys: LoginKeys
  readonly now: Ms
  readonly newId: () => string
  readonly work: Work
}): Promise<{ readonly addresses: readonly string[]; readonly placed: readonly Placed[] }> {
  const made = await work.through(derived(seed, accounts, loginKeys))
  const placed = await work.through(
    eachPlaced(made, (params) => ({
      ...params,
      walletAccountId: newId(),
      walletId,
      exported: false,
      createdAt: now,
      updatedAt: now,
    })),
  )
  return { addresses: made.map(({ address }) => address), placed }
}

/** When the steps end early, the secrets are wiped. */
function* eachPlaced(
  made: readonly Derived[],
  accountOf: (params: AccountParams & Pick<Derived, 'address' | 'publicKey'>) => WalletAccount,
): Steps<readonly Placed[]> {
  const placed: Placed[] = []
  try {
    for (const { params, publicKey, address, secret } of made) {
      yield costs.row
      const account = accountOf({ ...params, publicKey, address })
      placed.push(place(walletAccounts, account.walletAccountId, account, new Secret(secret)))
    }
    return placed
  } finally {
    if (placed.length < made.length) for (const { secret } of made) secret.fill(0)
  }
}

type Derived = {
  readonly params: AccountParams
  /** 32 bytes. */
  readonly secret: Uint8Array
  readonly publicKey: string
  readonly address: string
}

/** When the steps end early, the derived secrets are wiped. */
function* derived(
  seed: Uint8Array,
  accounts: readonly AccountParams[],
  loginKeys: LoginKeys,
): Steps<readonly Derived[]> {
  const wanted = accounts.map(({ curve, path }) => ({ curve, path: pathOf(path) }))
  const secrets = yield* derivationSteps(seed, wanted)
  const made: Derived[] = []
  try {
    for (const [index, params] of accounts.entries()) {
      yield costs.account
      const { curve, addressFormat } = params
      const secret = present(secrets[index], 'a key for each account')
      const publicKey = curves[curve].publicKeyOf(secret)
      checkNoLoginKey({ curve, publicKey }, loginKeys)
      made.push({ params, secret, publicKey, address: addressOf(addressFormat, curve, publicKey) })
    }
    return made
  } finally {
    if (made.length < accounts.length) for (const secret of secrets) secret.fill(0)
  }
}

function pathOf(text: string): HdPath {
  const path = readPath(text)
  if (path === undefined) throw invalidPath({ path: text })
  return path
}
