// In place of the library, by its names: what a page hashes is public.
export { sha256 } from '../arithmetic/sha256.ts'
