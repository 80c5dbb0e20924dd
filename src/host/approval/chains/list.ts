import { BYTES_ENCODINGS } from '../../../trusted/chains/raw-bytes.ts'
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

/** What a request says of how it is to be read: the type of a transaction, or how a payload is encoded and hashed. */
type Sent = { readonly transaction: string } | { readonly encoding: string; readonly hashFunction: string }

/** The words of every chain that such a transaction or such a payload may be of, in the order in which they are tried. */
export async function chainsOf(sent: Sent): Promise<readonly ChainWords[]> {
  const loads = KNOWN_CHAINS.flatMap(({ keyword, transaction, hashFunction, encodings }) => {
    const words = chainWords[keyword]
    if ('transaction' in sent)
      return sent.transaction !== '' && transaction === sent.transaction ? [words] : []
    if (BYTES_ENCODINGS.some((encoding) => encoding === sent.encoding))
      return hashFunction === sent.hashFunction ? [words] : []
    const encoded = encodings.find(({ encoding }) => encoding === sent.encoding)
    return encoded === undefined ? [] : [encodedWords[encoded.part] ?? words]
  })
  return await Promise.all(loads.map((load) => load()))
}
