import type { Ms } from '../../trusted/base/world.ts'

/** A longer wait is cut to this one: a server must not be able to have what it refuses given up by its age alone. */
export const RETRY_AFTER_MS_MAX = 60 * 60_000

/**
 * How long a server wants to be left alone (RFC 9110, 10.2.3): for seconds, or up to a date. The date counts from that
 * of the answer, because the clock of the server may be another one.
 *
 * @param headers  of its answer
 * @param now      counts for an answer without a date
 * @returns        at most `RETRY_AFTER_MS_MAX`; undefined if it wants none, or in no form that is known
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: Ms): Ms | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  const ms = /^\d{1,15}$/.test(text) ? Number(text) * 1_000 : untilDate(text, dateIn(headers['date']) ?? now)
  return ms === undefined ? undefined : Math.min(Math.max(0, ms), RETRY_AFTER_MS_MAX)
}

function untilDate(text: string, from: Ms): Ms | undefined {
  const at = dateIn(text)
  return at === undefined ? undefined : at - from
}

/** The one form of a date that a server may write (RFC 9110, 5.6.7); it stands for whole seconds. */
function dateIn(text: string | undefined): Ms | undefined {
  if (text === undefined || !/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text.trim()))
    return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
