import type { Chain } from '../../../trusted/chains/chain.ts'
import { hashFunctions } from '../../../trusted/chains/hash-function.ts'

/**
 * The module `src/host/approval/known-chains.ts`: the signs in a request that a chain may be meant, without the readers
 * of that chain.
 */
export function knownChainsModule(chains: readonly Chain[]): string {
  const entries = chains.map(({ keyword, transaction, payload, encodings = [] }) => {
    const known = {
      keyword,
      transaction: transaction?.type ?? '',
      hashFunction: payload?.hashFunction ?? '',
      begins: payload?.begins.source ?? '',
      encodings: encodings.map(({ encoding, part }) => ({ encoding, part })),
    }
    return `  ${JSON.stringify(known)},`
  })
  return [
    '// Derived by `npm run derive` from the list of chains.',
    'export const KNOWN_CHAINS = [',
    ...entries,
    '] as const',
    '',
    `export const HASH_FUNCTIONS: readonly string[] = ${JSON.stringify(hashFunctions)}`,
    '',
  ].join('\n')
}
