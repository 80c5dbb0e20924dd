import { fromHex } from '../../../../src/trusted/base/bytes.ts'
import { checksummed } from '../../../../src/trusted/crypto/eip55.ts'
import { type Coin, COINS, DECIMALS } from './coins.ts'

/** What templates ask for, as it stands in a policy. */
export type Filled = {
  readonly coin: Coin
  /** In wei. */
  readonly amount: bigint
  /** With the checksum of EIP-55. */
  readonly addresses: readonly string[]
  readonly userId: string
  readonly tagId: string
  readonly source: Source
  readonly needed: number
}

/** What pays: a wallet, or a private key that is in none. */
export type Source = { readonly kind: 'wallet' | 'private_key'; readonly id: string }

export type Field = keyof Filled

/** What is wrong with what was typed; each has a word. */
type Mistake =
  | 'nothing'
  | 'noAmount'
  | 'tooManyDecimals'
  | 'amountTooLarge'
  | 'noAddress'
  | 'wrongChecksum'
  | 'noNumber'
  | 'noId'

export class Mistaken extends Error {
  override readonly name = 'Mistaken'
  readonly mistake: Mistake
  /** What of it is wrong; empty for all. */
  readonly what: string

  constructor(mistake: Mistake, what = '') {
    super(mistake)
    this.mistake = mistake
    this.what = what
  }
}

/** Reads what was typed, or what was chosen by its id. @throws Mistaken */
export const READ: { readonly [field in Field]: (text: string) => Filled[field] } = {
  coin: (text) => {
    const coin = COINS.find(({ chain }) => chain === text)
    if (coin === undefined) throw new Mistaken('nothing')
    return coin
  },
  amount: weiIn,
  addresses: (text) => {
    const addresses = text.split(/[\s,]+/).filter((one) => one !== '')
    if (addresses.length === 0) throw new Mistaken('nothing')
    return [...new Set(addresses.map(addressIn))]
  },
  userId: idIn,
  tagId: idIn,
  source: sourceIn,
  needed: (text) => {
    if (!/^[1-9]\d?$/.test(text.trim())) throw new Mistaken('noNumber')
    return Number(text)
  },
}

/** No sign, no exponent, no separators: each can be read in two ways. */
function weiIn(text: string): bigint {
  if (text.trim() === '') throw new Mistaken('nothing')
  const [, whole = '', decimals = ''] = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text.trim()) ?? []
  if (whole === '') throw new Mistaken('noAmount')
  if (decimals.length > DECIMALS) throw new Mistaken('tooManyDecimals')
  const amount = BigInt(whole + decimals.padEnd(DECIMALS, '0'))
  if (amount === 0n) throw new Mistaken('noAmount')
  if (amount > AMOUNT_MAX) throw new Mistaken('amountTooLarge')
  return amount
}

/** In wei. Sums of such amounts still fit the integers of the policy language. */
const AMOUNT_MAX = 2n ** 128n

function addressIn(text: string): string {
  const account = /^0x[0-9a-fA-F]{40}$/.test(text) ? fromHex(text.slice(2)) : undefined
  if (account === undefined) throw new Mistaken('noAddress', text)
  const written = checksummed(account)
  // Letters of both cases are a checksum (EIP-55), and one that is wrong is a mistake in the address.
  const hasChecksum = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text)
  if (hasChecksum && text !== written) throw new Mistaken('wrongChecksum', text)
  return written
}

/** `wallet` or `private_key`, and its id. */
function sourceIn(text: string): Source {
  if (text === '') throw new Mistaken('nothing')
  const [kind, id = '', ...more] = text.split(' ')
  if ((kind !== 'wallet' && kind !== 'private_key') || more.length > 0) throw new Mistaken('noId', text)
  return { kind, id: idIn(id) }
}

/** Ids come from the service. A string of the language has no escapes, so that no other text may stand in one. */
function idIn(text: string): string {
  if (text === '') throw new Mistaken('nothing')
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) throw new Mistaken('noId', text)
  return text
}
