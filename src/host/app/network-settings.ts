import type { ConnectionLimits } from '../http/connection-limits.ts'
import { LIMIT_KINDS, rateLimitDefaults, type RateLimitSettings } from '../http/rate-limits.ts'
import { isAddressRange } from '../http/trusted-proxies.ts'
import type { Settings } from './settings-source.ts'

/** `CLAVIGER_TRUSTED_PROXIES`: addresses and CIDR blocks, separated by commas. */
export function trustedProxyRanges(text: string | undefined, problems: string[]): readonly string[] {
  const ranges = commaSeparated(text)
  for (const range of ranges)
    if (!isAddressRange(range))
      problems.push(
        `CLAVIGER_TRUSTED_PROXIES names ${JSON.stringify(range)}: it must be an IP address or a CIDR block of at least one bit`,
      )
  return ranges
}

/** `CLAVIGER_RATE_LIMITS`: `on`, `off`, or some of the limits by name, each a whole number or `off`. Undefined is no limit at all. */
export function rateLimitSettings(
  text: string | undefined,
  problems: string[],
): RateLimitSettings | undefined {
  if (text?.trim() === 'off') return undefined
  const settings = { ...rateLimitDefaults }
  if (text?.trim() === 'on') return settings
  for (const item of commaSeparated(text)) {
    const [name = '', amount = ''] = item.split('=').map((part) => part.trim())
    const kind = LIMIT_KINDS.find((known) => known === name)
    if (kind === undefined)
      problems.push(
        `CLAVIGER_RATE_LIMITS names ${JSON.stringify(name)}: it is "on", "off", or NAME=number for some of ${LIMIT_KINDS.join(', ')}`,
      )
    else if (amount === 'off') settings[kind] = Number.POSITIVE_INFINITY
    else if (/^[1-9]\d{0,6}$/.test(amount)) settings[kind] = Number(amount)
    else
      problems.push(
        `CLAVIGER_RATE_LIMITS: ${kind} is ${JSON.stringify(amount)}: it must be a whole number from 1 to 9999999, or off`,
      )
  }
  return settings
}

/** `true` or `false`; false when it is not set. */
export function flag(name: string, settings: Settings, problems: string[]): boolean {
  const text = settings[name]
  if (text !== undefined && text !== 'true' && text !== 'false')
    problems.push(`${name} is ${JSON.stringify(text)}: it must be true or false`)
  return text === 'true'
}

/** `CLAVIGER_CONNECTIONS`, of which one address may have half unless `CLAVIGER_CONNECTIONS_PER_ADDRESS` says otherwise. */
export function connectionLimits(settings: Settings, problems: string[]): ConnectionLimits {
  const range = { least: 1, most: 1_000_000 }
  const connectionsMax = wholeNumber('CLAVIGER_CONNECTIONS', settings, problems, { ...range, unset: 4_096 })
  const perAddressMax = wholeNumber('CLAVIGER_CONNECTIONS_PER_ADDRESS', settings, problems, {
    ...range,
    unset: Math.ceil(connectionsMax / 2),
  })
  return { connectionsMax, perAddressMax }
}

export function wholeNumber(
  name: string,
  settings: Settings,
  problems: string[],
  { least, most, unset }: { readonly least: number; readonly most: number; readonly unset: number },
): number {
  const text = settings[name]
  if (text === undefined) return unset
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < least || value > most)
    problems.push(`${name} is ${JSON.stringify(text)}: it must be a whole number from ${least} to ${most}`)
  return value
}

export function port(text: string, problems: string[]): number {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value > 65_535)
    problems.push(`CLAVIGER_PORT is ${JSON.stringify(text)}: it must be a number from 0 to 65535`)
  return value
}

export function commaSeparated(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
