import type { KNOWN_CHAINS } from '../known-chains.ts'

/**
 * The signatures of a key in a signed transaction, r ‖ s each, in the order of the signed messages. They are
 * unverified: the caller verifies them and writes the transaction again with them.
 *
 * @param unsigned   the transaction before signing
 * @param publicKey  in the form of the chain's reader
 * @throws           Failure for bytes that are not a transaction of the chain
 */
type SignaturesIn = (signed: Uint8Array, unsigned: Uint8Array, publicKey: Uint8Array) => readonly Uint8Array[]

/** By the keyword of the chain. A page loads these parts only when something is to be signed. */
export const signaturesIn: {
  readonly [keyword in Transacted['keyword']]: () => Promise<SignaturesIn>
} = {
  eth: async () => (await import('./ethereum-signed.ts')).signaturesInEthereum,
  solana: async () => (await import('./solana-signed.ts')).signaturesInSolana,
  tron: async () => beforeParity,
  bitcoin: async () => (await import('./bitcoin-signed.ts')).signaturesInBitcoin,
  tempo: async () => beforeParity,
}

/** The service does not sign whole transactions of other chains. */
type Transacted = Exclude<(typeof KNOWN_CHAINS)[number], { readonly transaction: '' }>

/** The last bytes are r, s and a byte for the parity. */
function beforeParity(signed: Uint8Array): readonly Uint8Array[] {
  return [signed.subarray(-65, -1)]
}
