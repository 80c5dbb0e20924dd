// In place of the library for encodings, by its names: what a page shows of these are addresses, of a few bytes each.
export { base58, createBase58check } from '../arithmetic/base58.ts'
export { bech32, bech32m } from '../arithmetic/bech32.ts'
