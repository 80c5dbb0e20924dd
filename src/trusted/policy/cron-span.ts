import { compileField, compileName } from './access.ts'
import { MINUTE_MS } from './duration.ts'
import { failed, outOfSteps, type Run, spend } from './run.ts'
import { firesWithin, type Schedule } from './schedule.ts'
import type { Tree } from './tree.ts'
import { type Zone, zoneOf } from './zone.ts'

/**
 * Whether `time.now` is in a window of `lengthMs` that began when the schedule fired, by the clocks of a zone. It fires
 * at the minutes that the clocks show: twice where they are put back, and where they are put forward all that they skip
 * fires when they are.
 */
export function compileCronSpan(tree: Tree & { readonly kind: 'cronSpan' }): Run {
  const { schedule, lengthMs } = tree
  const timeNow = compileField(tree, 'now', compileName(tree, 'time', []), true)
  const noTime = failed(tree, 'no time to compare with')
  const noZone = failed(tree, 'the time zone is not known')
  const exhausted = outOfSteps(tree)
  const zone = zoneOf(tree.zone)
  return (frame) => {
    if (!spend(frame, CRON_SPAN_STEPS)) return exhausted
    const now = timeNow(frame)
    if (typeof now !== 'bigint') return noTime
    return isWithin(schedule, lengthMs, zone, Number(now)) ?? noZone
  }
}

/** So that a decision asks for no more zones, which may all be new, than take some tens of milliseconds. */
const CRON_SPAN_STEPS = 2_000

function isWithin(schedule: Schedule, lengthMs: number, zone: Zone, now: number): boolean | undefined {
  // A window that has just ended does not hold any more.
  const first = Math.floor((now - lengthMs) / MINUTE_MS) + 1
  const last = Math.floor(now / MINUTE_MS)
  for (let day = Math.floor(last / DAY); day >= Math.floor(first / DAY); day -= 1) {
    const parts = zone(day)
    if (parts === undefined) return undefined
    for (const [at, { from, offset, skipped }] of parts.entries()) {
      const end = (parts[at + 1]?.from ?? day * DAY + DAY) - 1
      const [start, stop] = [Math.max(from, first), Math.min(end, last)]
      if (start > stop) continue
      // Skipped minutes fire at the change, which therefore has to be within the window as well.
      const since = start === from ? from - skipped : start
      if (firesWithin(schedule, since + offset, stop + offset)) return true
    }
  }
  return false
}

/** Minutes. */
const DAY = 24 * 60
