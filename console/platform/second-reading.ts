import type { Steps } from '../../src/trusted/base/work.ts'

/**
 * In place of the second reading of a PSBT by a library, which the vault does before it asks anybody and before it
 * signs.
 */
export function* sameReadingSteps(): Steps<void> {}
