import type { Ms } from '../../trusted/base/world.ts'
import { mailboxOf } from '../../trusted/charter/mailbox.ts'
import { contactRate, type RateLimitSettings } from '../http/rate-limits.ts'
import { TokenBuckets } from '../http/token-buckets.ts'

/**
 * Whether a mailbox takes one more mail that a recovery was stopped; asking takes it. Nobody is refused a stop, and
 * root users may have got their addresses after the begin, which was counted for nobody then: so these mails are
 * counted when they are sent.
 *
 * @returns undefined where mails are not limited
 */
export function roomForStopMails(
  settings: Pick<RateLimitSettings, 'contact'> | undefined,
  now: () => Ms,
): ((to: string) => boolean) | undefined {
  if (settings === undefined || !Number.isFinite(settings.contact)) return undefined
  const buckets = new TokenBuckets(contactRate(settings.contact), now)
  return (to) => {
    const mailbox = mailboxOf(to)
    const hasRoom = buckets.has(mailbox)
    if (hasRoom) buckets.take(mailbox)
    return hasRoom
  }
}
