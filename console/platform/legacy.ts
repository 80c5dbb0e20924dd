// In place of the library, by its names: what a page hashes is public.
export { ripemd160 } from '../arithmetic/ripemd160.ts'
