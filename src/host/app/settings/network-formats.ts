import { isLoopback } from '../../../trusted/base/loopback.ts'
import { LIMIT_KINDS, rateLimitDefaults, type RateLimitSettings } from '../../http/rate-limits.ts'
import { isAddressRange } from '../../http/trusted-proxies.ts'
import { commaSeparated } from './plain-formats.ts'
import type { Source } from './setting.ts'

/** Addresses and CIDR blocks, separated by commas. */
export function addressRanges(text: string, name: string, { problems }: Source): readonly string[] {
  const ranges = commaSeparated(text)
  for (const range of ranges)
    if (!isAddressRange(range))
      problems.push(
        `${name} names ${JSON.stringify(range)}: it must be an IP address or a CIDR block of at least one bit`,
      )
  return ranges
}

/** Origins of web pages as browsers write them, separated by commas: https, or http on loopback. */
export function origins(text: string, name: string, { problems }: Source): readonly string[] {
  const given = commaSeparated(text)
  for (const origin of given)
    if (!isPageOrigin(origin))
      problems.push(
        `${name} names ${JSON.stringify(origin)}: it must be an origin such as https://shop.example, without a path; http only for localhost, 127.0.0.1 and [::1]`,
      )
  return given
}

function isPageOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.origin !== text) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** `on`, `off`, or some of the limits by name, each a whole number or `off`. Undefined means no limit. */
export function rateLimits(text: string, name: string, { problems }: Source): RateLimitSettings | undefined {
  if (text.trim() === 'off') return undefined
  const limits = { ...rateLimitDefaults }
  if (text.trim() === 'on') return limits
  for (const item of commaSeparated(text)) {
    const [kindName = '', amount = ''] = item.split('=').map((part) => part.trim())
    const kind = LIMIT_KINDS.find((known) => known === kindName)
    if (kind === undefined)
      problems.push(
        `${name} names ${JSON.stringify(kindName)}: it is "on", "off", or NAME=number for some of ${LIMIT_KINDS.join(', ')}`,
      )
    else if (amount === 'off') limits[kind] = Number.POSITIVE_INFINITY
    else if (/^[1-9]\d{0,6}$/.test(amount)) limits[kind] = Number(amount)
    else
      problems.push(
        `${name}: ${kind} is ${JSON.stringify(amount)}: it must be a whole number from 1 to 9999999, or off`,
      )
  }
  return limits
}
