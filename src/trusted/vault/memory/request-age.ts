import type { Ms } from '../../base/world.ts'
import { requestNotLive } from '../failures.ts'

/** A request may be decided on for an hour after its own timestamp, and five minutes before it. */
export const AGE_MAX_MS = 60 * 60 * 1000
export const AHEAD_MAX_MS = 5 * 60 * 1000

/** @throws Failure `requestNotLive` */
export function checkRequestAge(timestampMs: Ms, now: Ms): void {
  if (timestampMs <= now - AGE_MAX_MS || timestampMs > now + AHEAD_MAX_MS)
    throw requestNotLive({ timestampMs, now })
}
