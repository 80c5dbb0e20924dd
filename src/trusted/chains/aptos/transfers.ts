import { caseless } from '../../base/caseless.ts'
import { costs } from '../../base/costs.ts'
import { Failure } from '../../base/failure.ts'
import type { Steps } from '../../base/work.ts'
import { invalidTransaction } from '../failures.ts'
import type { SeenFields } from '../transaction.ts'
import { BcsReader } from './bcs-reader.ts'
import type { Executable } from './executable.ts'
import { shownAddress } from './move-address.ts'

/**
 * The payments of an entry function of the framework to accounts. Other functions can pay too, and give no payments
 * here: a policy about payments must also name the functions that it allows.
 *
 * @throws Failure `invalidTransaction` where the arguments are not those of the function: a transfer could then stay
 *         unseen
 */
export function* transfersOf(
  executable: Extract<Executable, { readonly kind: 'entryFunction' }>,
  from: Uint8Array,
): Steps<readonly SeenFields[]> {
  const { name, typeArguments, args } = executable
  const form = FORMS.get(name)
  if (form === undefined) return []
  const rest = form.asset === 'first argument' ? args.slice(1) : args
  const asset =
    form.asset === 'first argument'
      ? whole(name, args[0], (reader) => assetText(shownAddress(reader.address('the asset'))))
      : form.asset === 'type argument'
        ? typeArguments[0]
        : form.asset
  const [to, amount, ...more] = rest
  if (asset === undefined || more.length !== (form.hasMinimum === true ? 1 : 0)) throw notOf(name)
  if (form.hasMinimum === true) whole(name, more[0], (reader) => reader.u64('the minimum'))
  const count = form.isBatch ? LIST_MAX : undefined
  const recipients = whole(name, to, (reader) => each(reader, count, () => reader.address('a recipient')))
  const amounts = whole(name, amount, (reader) => each(reader, count, () => reader.u64('an amount')))
  if (recipients.length !== amounts.length) throw notOf(name)
  const payer = caseless(shownAddress(from))
  const transfers: SeenFields[] = []
  for (const [index, recipient] of recipients.entries()) {
    yield costs.transactionInput
    transfers.push({ from: payer, to: caseless(shownAddress(recipient)), amount: amounts[index], asset })
  }
  return transfers
}

function each<T>(reader: BcsReader, listMax: number | undefined, read: () => T): readonly T[] {
  return listMax === undefined ? [read()] : reader.list('transfers', listMax, read)
}

/** APT is a coin and, with the same balance, a fungible asset: a rule about the coin has to meet both. */
function assetText(address: string): string {
  return address === APTOS_ASSET ? APTOS_COIN : address
}

/** Reads an argument to its last byte. */
function whole<T>(name: string, argument: Uint8Array | undefined, read: (reader: BcsReader) => T): T {
  if (argument === undefined) throw notOf(name)
  try {
    const reader = new BcsReader(argument)
    const value = read(reader)
    reader.expectEnd()
    return value
  } catch (error) {
    if (error instanceof Failure) throw notOf(name)
    throw error
  }
}

function notOf(name: string): Error {
  return invalidTransaction({ what: `the arguments are not those of ${name}` })
}

/** The asset that is paid: this one, or the one that the first type argument or the first argument names. */
type Form = {
  readonly asset: string
  readonly isBatch: boolean
  /** Whether the amount that has to arrive follows. */
  readonly hasMinimum?: boolean
}

const APTOS_COIN = '0x1::aptos_coin::AptosCoin'
/** AIP-63 */
const APTOS_ASSET = '0xa'
// More do not fit into a transaction that nodes accept.
const LIST_MAX = 4_096
const FORMS: ReadonlyMap<string, Form> = new Map([
  ['0x1::aptos_account::transfer', { asset: APTOS_COIN, isBatch: false }],
  // An entry function, although other code may call it only within the framework.
  ['0x1::aptos_account::fungible_transfer_only', { asset: APTOS_COIN, isBatch: false }],
  ['0x1::aptos_account::batch_transfer', { asset: APTOS_COIN, isBatch: true }],
  ['0x1::aptos_account::transfer_coins', { asset: 'type argument', isBatch: false }],
  ['0x1::aptos_account::batch_transfer_coins', { asset: 'type argument', isBatch: true }],
  ['0x1::coin::transfer', { asset: 'type argument', isBatch: false }],
  ['0x1::aptos_account::transfer_fungible_assets', { asset: 'first argument', isBatch: false }],
  ['0x1::aptos_account::batch_transfer_fungible_assets', { asset: 'first argument', isBatch: true }],
  ['0x1::primary_fungible_store::transfer', { asset: 'first argument', isBatch: false }],
  [
    '0x1::primary_fungible_store::transfer_assert_minimum_deposit',
    { asset: 'first argument', isBatch: false, hasMinimum: true },
  ],
])
