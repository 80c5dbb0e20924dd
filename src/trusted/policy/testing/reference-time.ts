import type { Tree } from '../tree.ts'

/**
 * The slow meaning of CronSpan: every minute of the window is looked at, with the clock of the zone beside it. A minute
 * fires when the clock shows a time that matches, or has passed one since the minute before.
 */
export function referenceCronSpan(tree: Tree & { readonly kind: 'cronSpan' }, now: number): boolean {
  const [cron, length, zone] = tree.texts
  const lengthMs = [...length.matchAll(/(\d+)([dhm])/g)].reduce(
    (sum, [, count, unit]) =>
      sum + Number(count) * (unit === 'd' ? 86_400_000 : unit === 'h' ? 3_600_000 : 60_000),
    0,
  )
  const clock = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const shown = (at: number): number => {
    const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'))
  }
  for (let fire = Math.floor(now / 60_000) * 60_000; fire + lengthMs > now; fire -= 60_000) {
    const until = shown(fire)
    const since = Math.min(shown(fire - 60_000) + 60_000, until)
    for (let at = since; at <= until; at += 60_000) if (matches(cron, new Date(at))) return true
  }
  return false
}

function matches(cron: string, wall: Date): boolean {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.split(' ')
  const byDay = takes(day, wall.getUTCDate())
  const byWeekday = takes(weekday, wall.getUTCDay())
  const isDay = day !== '*' && weekday !== '*' ? byDay || byWeekday : byDay && byWeekday
  const isTime = takes(minute, wall.getUTCMinutes()) && takes(hour, wall.getUTCHours())
  return isTime && isDay && takes(month, wall.getUTCMonth() + 1)
}

function takes(field: string, value: number): boolean {
  return field.split(',').some((part) => {
    const [from, to = from] = part.split('-').map(Number)
    return part === '*' || (from !== undefined && to !== undefined && from <= value && value <= to)
  })
}
