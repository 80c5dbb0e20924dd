/** A page has no native libraries: what asks for one does without it. */
export function createRequire(): never {
  throw new Error('a page has no native libraries')
}
