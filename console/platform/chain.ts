/**
 * In place of what makes sure that a chain is declared whole: a page has a part of its declaration
 * (`console/build.ts`).
 */
export function defineChain<C>(chain: C): C {
  return chain
}
