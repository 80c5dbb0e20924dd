import { toHex } from '../../../trusted/base/bytes.ts'
import { Failure } from '../../../trusted/base/failure.ts'
import { BYTES_ENCODINGS, rawBytes } from '../../../trusted/chains/raw-bytes.ts'
import { KNOWN_CHAINS } from '../known-chains.ts'
import type { ChainWords } from './chain-words.ts'

/**
 * The words of every chain that the vault reads; a page loads them, and their readers, when a request may be of that
 * chain.
 */
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

/** Words for payloads with an encoding of their own, by the part of the namespace; other payloads do not need them. */
const encodedWords: { readonly [part: string]: () => Promise<ChainWords> } = {
  eip_712: async () => (await import('./typed-data-words.ts')).typedDataWords,
}

/**
 * The fields of a request that decide how it is read: the type of a transaction, or the payloads and their encoding and
 * hash function.
 */
type Sent =
  | { readonly transaction: string }
  | { readonly payloads: readonly string[]; readonly encoding: string; readonly hashFunction: string }

/**
 * The words of every chain to which such a transaction or one of such payloads may belong, in the order of the
 * attempts. Raw bytes whose beginning fits no chain need none.
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

/** The beginnings of payloads that are bytes, in hexadecimal; undefined for payloads in another encoding. */
function headsOf({
  payloads,
  encoding,
}: Extract<Sent, { payloads: unknown }>): readonly string[] | undefined {
  if (!BYTES_ENCODINGS.some((one) => one === encoding)) return undefined
  return payloads.flatMap((payload) => {
    try {
      return [toHex(rawBytes({ payload, encoding }).subarray(0, HEAD_BYTES))]
    } catch (error) {
      // An invalid payload is refused by its reader.
      if (error instanceof Failure) return []
      throw error
    }
  })
}

/** Enough for the beginnings that the chains declare. */
const HEAD_BYTES = 5
