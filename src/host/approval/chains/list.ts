import { toHex } from '../../../trusted/base/bytes.ts'
import { Failure } from '../../../trusted/base/failure.ts'
import { BYTES_ENCODINGS, rawBytes } from '../../../trusted/chains/raw-bytes.ts'
import { KNOWN_CHAINS } from '../known-chains.ts'
import type { ChainWords } from './chain-words.ts'

/** The words of every chain that the vault reads; a page loads them, and its readers, when a request may be of it. */
export const chainWords: {
  readonly [keyword in (typeof KNOWN_CHAINS)[number]['keyword']]: () => Promise<ChainWords>
} = {
  eth: async () => (await import('./ethereum-words.ts')).ethereumWords,
  solana: async () => (await import('./solana-words.ts')).solanaWords,
  tron: async () => (await import('./tron-words.ts')).tronWords,
  bitcoin: async () => (await import('./bitcoin-words.ts')).bitcoinWords,
  tempo: async () => (await import('./tempo-words.ts')).tempoWords,
  aptos: async () => (await import('./aptos-words.ts')).aptosWords,
}

/** What is encoded in a way of its own is said with words that nothing else needs, by the part of the namespace. */
const encodedWords: { readonly [part: string]: () => Promise<ChainWords> } = {
  eip_712: async () => (await import('./typed-data-words.ts')).typedDataWords,
}

/**
 * What a request says of how it is to be read: the type of a transaction, or payloads and how they are encoded and
 * hashed.
 */
type Sent =
  | { readonly transaction: string }
  | { readonly payloads: readonly string[]; readonly encoding: string; readonly hashFunction: string }

/**
 * The words of every chain that such a transaction or one of such payloads may be of, in the order in which they are
 * tried. Raw bytes that no chain begins like need none.
 */
export async function chainsOf(sent: Sent): Promise<readonly ChainWords[]> {
  const heads = 'transaction' in sent ? [] : headsOf(sent)
  const loads = KNOWN_CHAINS.flatMap(({ keyword, transaction, hashFunction, begins, encodings }) => {
    const words = chainWords[keyword]
    if ('transaction' in sent)
      return sent.transaction !== '' && transaction === sent.transaction ? [words] : []
    if (heads !== undefined) {
      const pattern = new RegExp(begins)
      return hashFunction === sent.hashFunction && heads.some((head) => pattern.test(head)) ? [words] : []
    }
    const encoded = encodings.find(({ encoding }) => encoding === sent.encoding)
    return encoded === undefined ? [] : [encodedWords[encoded.part] ?? words]
  })
  return await Promise.all(loads.map((load) => load()))
}

/** What payloads that are bytes begin with, in hexadecimal; undefined for payloads in another encoding. */
function headsOf({
  payloads,
  encoding,
}: Extract<Sent, { payloads: unknown }>): readonly string[] | undefined {
  if (!BYTES_ENCODINGS.some((one) => one === encoding)) return undefined
  return payloads.flatMap((payload) => {
    try {
      return [toHex(rawBytes({ payload, encoding }).subarray(0, HEAD_BYTES))]
    } catch (error) {
      // What is no payload is refused where it is read.
      if (error instanceof Failure) return []
      throw error
    }
  })
}

/** Enough for what each chain says of its beginnings. */
const HEAD_BYTES = 5
