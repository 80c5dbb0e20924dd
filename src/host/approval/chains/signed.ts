import type { KNOWN_CHAINS } from '../known-chains.ts'

/**
 * The signatures of a key in a signed transaction, r ‖ s each, in the order in which the reader has what is signed.
 * Whether they are any is for the caller to find out, who verifies them and writes the transaction anew with them.
 *
 * @param unsigned   the transaction that was to be signed
 * @param publicKey  as the reader of the chain has it
 * @throws           Failure for bytes that are no transaction of the chain
 */
type SignaturesIn = (signed: Uint8Array, unsigned: Uint8Array, publicKey: Uint8Array) => readonly Uint8Array[]

/** By the keyword of the chain. A page loads what it needs once something is to be signed. */
export const signaturesIn: {
  readonly [keyword in Transacted['keyword']]: () => Promise<SignaturesIn>
} = {
  eth: async () => (await import('./ethereum-signed.ts')).signaturesInEthereum,
  solana: async () => (await import('./solana-signed.ts')).signaturesInSolana,
  tron: async () => beforeParity,
  bitcoin: async () => (await import('./bitcoin-signed.ts')).signaturesInBitcoin,
  tempo: async () => beforeParity,
}

/** Of others no whole transactions are signed. */
type Transacted = Exclude<(typeof KNOWN_CHAINS)[number], { readonly transaction: '' }>

/** At the end stand r, s and a byte for the parity. */
function beforeParity(signed: Uint8Array): readonly Uint8Array[] {
  return [signed.subarray(-65, -1)]
}
