import { existsSync, readFileSync } from 'node:fs'
import type { ConnectionLimits } from '../http/connection-limits.ts'

/** The descriptors for the store, the vault, deliveries, files and the listener, besides the connections of clients. */
const OTHERS = 96

/** At most as many connections as this process has descriptors for; unchanged if the system does not say. */
export function withinDescriptors(
  { connectionsMax, perAddressMax }: ConnectionLimits,
  limitsFile = '/proc/self/limits',
): ConnectionLimits {
  const text = existsSync(limitsFile) ? readFileSync(limitsFile, 'utf8') : ''
  const descriptors = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY)
  const most = Math.max(2, descriptors - OTHERS)
  if (connectionsMax <= most) return { connectionsMax, perAddressMax }
  // With fewer connections, one address still leaves half of them to the others.
  return { connectionsMax: most, perAddressMax: Math.min(perAddressMax, Math.ceil(most / 2)) }
}
