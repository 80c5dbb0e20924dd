import { existsSync, readFileSync } from 'node:fs'
import type { ConnectionLimits } from '../http/connection-limits.ts'

/** For the store, the vault, deliveries, files and the listener, beside the connections of clients. */
const OTHERS = 96

/** No more connections than this process has descriptors for; as they were where the system does not say. */
export function withinDescriptors(
  { connectionsMax, perAddressMax }: ConnectionLimits,
  limitsFile = '/proc/self/limits',
): ConnectionLimits {
  const text = existsSync(limitsFile) ? readFileSync(limitsFile, 'utf8') : ''
  const descriptors = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY)
  const most = Math.max(2, descriptors - OTHERS)
  if (connectionsMax <= most) return { connectionsMax, perAddressMax }
  // Of fewer, one address still leaves half to the others.
  return { connectionsMax: most, perAddressMax: Math.min(perAddressMax, Math.ceil(most / 2)) }
}
