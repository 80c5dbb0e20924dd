import type { Ms, World } from '../../trusted/base/world.ts'

/** The wait after the first failed attempt; each wait is three times the one before it, up to the longest. */
const FIRST_WAIT_MS = 5_000
const GROWTH = 3
const LONGEST_WAIT_MS = 6 * 60 * 60_000
const ATTEMPTS_MAX = 12
/** A job of this age gets only one more attempt. So the ordering key of a dead endpoint does not grow for ever. */
const PATIENCE_MS = 24 * 60 * 60_000

/**
 * The time of the next attempt after a failed one: after 5 s, 15 s, 45 s, 2 min 15 s, 6 min 45 s, 20 min, 1 h, 3 h and
 * then every 6 h. Each wait is shortened at random by up to half, so that jobs that failed together do not return
 * together.
 *
 * @param job.attempts  the number of attempts before the one that has just failed
 * @param askedMs       the wait that the destination has asked for: it waits so long at least, and up to a quarter more
 * @returns             undefined after the last attempt
 */
export function nextAttemptAt(
  job: { readonly attempts: number; readonly createdAt: Ms },
  { now, randomBytes }: World,
  askedMs: Ms = 0,
): Ms | undefined {
  const at = now()
  const made = job.attempts + 1
  if (made >= ATTEMPTS_MAX || at - job.createdAt >= PATIENCE_MS) return undefined
  return at + waitAfter(job.attempts, LONGEST_WAIT_MS, randomBytes, askedMs)
}

/**
 * The same for a mail, whose code or link expires in minutes: while it is new, at most half a minute after its server
 * has recovered. Later it waits up to twice its age, and at most 6 h. It is given up by its age alone.
 */
export function nextMailAttemptAt(
  job: { readonly attempts: number; readonly createdAt: Ms },
  { now, randomBytes }: World,
): Ms | undefined {
  const at = now()
  const age = at - job.createdAt
  if (age >= PATIENCE_MS) return undefined
  const longest = age < NEW_MAIL_MS ? NEW_MAIL_WAIT_MS : Math.min(2 * age, LONGEST_WAIT_MS)
  return at + waitAfter(job.attempts, longest, randomBytes)
}

const NEW_MAIL_MS = 10 * 60_000
const NEW_MAIL_WAIT_MS = 30_000

/**
 * The same for the audit stream, which has no last attempt, and tries again at most a minute after its receiver has
 * recovered.
 */
export function nextAuditAttemptAt(
  { attempts }: { readonly attempts: number },
  { now, randomBytes }: World,
): Ms {
  return now() + waitAfter(attempts, LONGEST_AUDIT_WAIT_MS, randomBytes)
}

const LONGEST_AUDIT_WAIT_MS = 60_000

function waitAfter(attempts: number, longestMs: Ms, randomBytes: World['randomBytes'], askedMs: Ms = 0): Ms {
  const longest = Math.min(FIRST_WAIT_MS * GROWTH ** attempts, longestMs)
  const [chance = 0] = randomBytes(1)
  return Math.ceil(Math.max(longest * (1 - chance / 512), askedMs * (1 + chance / 1024)))
}
