import type { Ms, World } from '../../trusted/base/world.ts'

/** The wait after the first failed attempt; each wait is three times the one before it, up to the longest. */
const FIRST_WAIT_MS = 5_000
const GROWTH = 3
const LONGEST_WAIT_MS = 6 * 60 * 60_000
const ATTEMPTS_MAX = 12
/**
 * A job of this age gets one attempt more, and no other: so that the ordering key of an endpoint that is gone does not
 * grow for ever.
 */
const PATIENCE_MS = 24 * 60 * 60_000

/**
 * When to try again after a failed attempt: 5 s, 15 s, 45 s, 2 min 15 s, 6 min 45 s, 20 min, 1 h, 3 h and then every 6
 * h, each less up to half of it by chance, so that what failed together does not come back together.
 *
 * @param job.attempts  how many there were before the one that has just failed
 * @returns                undefined when there have been enough
 */
export function nextAttemptAt(
  job: { readonly attempts: number; readonly createdAt: Ms },
  { now, randomBytes }: World,
): Ms | undefined {
  const at = now()
  const made = job.attempts + 1
  if (made >= ATTEMPTS_MAX || at - job.createdAt >= PATIENCE_MS) return undefined
  return at + waitAfter(job.attempts, LONGEST_WAIT_MS, randomBytes)
}

/** The same for the audit stream: never given up, and never later than a minute after its receiver is well again. */
export function nextAuditAttemptAt(
  { attempts }: { readonly attempts: number },
  { now, randomBytes }: World,
): Ms {
  return now() + waitAfter(attempts, LONGEST_AUDIT_WAIT_MS, randomBytes)
}

const LONGEST_AUDIT_WAIT_MS = 60_000

function waitAfter(attempts: number, longestMs: Ms, randomBytes: World['randomBytes']): Ms {
  const longest = Math.min(FIRST_WAIT_MS * GROWTH ** attempts, longestMs)
  const [chance = 0] = randomBytes(1)
  return Math.ceil(longest * (1 - chance / 512))
}
