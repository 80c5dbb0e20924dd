// In place of the library, by its names: what a page hashes is public.
export { keccak_256, sha3_256 } from '../arithmetic/keccak.ts'
