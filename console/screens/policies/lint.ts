import { lintSteps } from '../../../src/trusted/policy/lint.ts'
import type { Finding, LintedPolicy } from '../../../src/trusted/policy/lint/finding.ts'
import { KNOWN_REQUESTS } from './known-requests.ts'
import { KNOWN_VOCABULARY } from './known-vocabulary.ts'

/**
 * What `claviger policies lint` finds in these policies. The page goes on between two of them.
 *
 * @param isWanted  whether anybody still waits for the answer
 * @returns         undefined where nobody does any more
 */
export async function findingsOf(
  policies: readonly LintedPolicy[],
  rawSigningGuard: boolean,
  isWanted: () => boolean,
): Promise<readonly Finding[] | undefined> {
  const found: Finding[] = []
  const ground = {
    vocabulary: KNOWN_VOCABULARY,
    abstractRequests: KNOWN_REQUESTS,
    now: Date.now(),
    rawSigningGuard,
  }
  let since = performance.now()
  for (const some of lintSteps(policies, ground)) {
    found.push(...some)
    if (performance.now() - since < SLICE_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (!isWanted()) return undefined
    since = performance.now()
  }
  return found
}

/** Of half a frame at 60 a second. */
const SLICE_MS = 8
