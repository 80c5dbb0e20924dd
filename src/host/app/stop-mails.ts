import type { World } from '../../trusted/base/world.ts'
import { mailboxOf } from '../../trusted/charter/mailbox.ts'
import { contactRate, type RateLimitSettings } from '../http/rate-limits.ts'
import { TokenBuckets } from '../http/token-buckets.ts'

/**
 * Whether a mailbox accepts one more mail about a stopped recovery; a yes is counted. A stop is never refused. The
 * addresses of root users may be newer than the beginning of the recovery, and then were not counted there, so these
 * mails are counted when they are sent.
 *
 * @returns undefined if mails are not limited
 */
export function roomForStopMails(
  settings: Pick<RateLimitSettings, 'contact'> | undefined,
  world: Pick<World, 'elapsed'>,
): ((to: string) => boolean) | undefined {
  if (settings === undefined || !Number.isFinite(settings.contact)) return undefined
  const buckets = new TokenBuckets(contactRate(settings.contact), world)
  return (to) => {
    const mailbox = mailboxOf(to)
    const hasRoom = buckets.has(mailbox)
    if (hasRoom) buckets.take(mailbox)
    return hasRoom
  }
}
