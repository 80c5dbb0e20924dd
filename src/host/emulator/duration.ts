import type { Ms } from '../../trusted/base/world.ts'
import { invalidDuration } from './failures.ts'

const UNITS: ReadonlyMap<string, Ms> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** `'2h'`, `'1h30m'`, `'250ms'`, or milliseconds. @throws Failure `invalidDuration` */
export function durationMs(duration: string | number): Ms {
  const ms = typeof duration === 'number' ? duration : msOf(duration)
  if (!Number.isSafeInteger(ms) || ms < 0 || ms > LONGEST_MS) throw invalidDuration({ duration })
  return ms
}

const LONGEST_MS = 100 * 366 * 86_400_000

function msOf(text: string): number {
  if (!/^(\d{1,12}(ms|s|m|h|d))+$/.test(text)) return Number.NaN
  return [...text.matchAll(/(\d+)(ms|[smhd])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS.get(unit) ?? Number.NaN),
    0,
  )
}
