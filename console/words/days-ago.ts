import { language } from './language.ts'
import { plainText } from './plain-text.ts'

/**
 * How long ago a day in UTC is, such as "3 days ago" for `2026-11-20`; one that is none, or is yet to come, as it is.
 */
export function daysAgo(day: string): string {
  const ago = Math.floor((Date.now() - Date.parse(day)) / DAY_MS)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !(ago >= 0)) return plainText(day)
  return new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(-ago, 'day')
}

const DAY_MS = 24 * 60 * 60 * 1000
