import type { Ms } from '../base/world.ts'

/**
 * The recent use, in slots of a sixty-fourth of the window: slot number to amount, the oldest first. A meter costs the
 * same however much has been used.
 */
export type UsageSlots = readonly (readonly [slot: number, amount: bigint])[]

const SLOTS_PER_WINDOW = 64

/**
 * The sum over a window that ends now. A use counts until the whole slot that it fell into has left the window, so that
 * no real window ever holds more than the limit; it is forgotten late by a sixty-fourth of the window at most.
 */
export function usedWithin(slots: UsageSlots, windowMs: number, now: Ms): bigint {
  return living(slots, windowMs, now).reduce((sum, [, amount]) => sum + amount, 0n)
}

/**
 * The same for a window that ended at an instant of the past. Later use in the slot of that instant counts as well, and
 * use that has been forgotten since does not.
 */
export function usedUntil(slots: UsageSlots, windowMs: number, at: Ms): bigint {
  const last = Math.floor(at / widthOf(windowMs))
  const earlier = slots.filter(([slot]) => slot <= last)
  return usedWithin(earlier, windowMs, at)
}

/**
 * The slots with one more use. Use that has left the window is forgotten. A clock that is behind another's counts into
 * the newest slot.
 */
export function withUse(slots: UsageSlots, amount: bigint, windowMs: number, now: Ms): UsageSlots {
  const kept = living(slots, windowMs, now)
  const newest = kept.at(-1)
  const slot = Math.max(Math.floor(now / widthOf(windowMs)), newest?.[0] ?? 0)
  return newest?.[0] === slot ? [...kept.slice(0, -1), [slot, newest[1] + amount]] : [...kept, [slot, amount]]
}

/** The instant at which nothing of it is left in the window. */
export function forgottenAt(slots: UsageSlots, windowMs: number): Ms {
  const newest = slots.at(-1)?.[0] ?? 0
  return (newest + 1) * widthOf(windowMs) + windowMs
}

/** The instants at which each slot in the window leaves it, the earliest first. */
export function departuresOf(slots: UsageSlots, windowMs: number, now: Ms): readonly Ms[] {
  return releasesOf(slots, windowMs, now).map(({ at }) => at)
}

/** What leaves the window and when, the earliest first. */
export function releasesOf(
  slots: UsageSlots,
  windowMs: number,
  now: Ms,
): readonly { readonly at: Ms; readonly amount: bigint }[] {
  return living(slots, windowMs, now).map(([slot, amount]) => ({
    at: (slot + 1) * widthOf(windowMs) + windowMs,
    amount,
  }))
}

function living(slots: UsageSlots, windowMs: number, now: Ms): UsageSlots {
  const width = widthOf(windowMs)
  return slots.filter(([slot]) => (slot + 1) * width > now - windowMs)
}

function widthOf(windowMs: number): number {
  return Math.ceil(windowMs / SLOTS_PER_WINDOW)
}
