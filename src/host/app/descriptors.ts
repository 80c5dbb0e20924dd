import { existsSync, readFileSync } from 'node:fs'
import type { ConnectionLimits } from '../http/connection-limits.ts'

/** The connections to webhooks, issuers and providers: 256 attempts at webhooks, 64 questions, and some more. */
const OUTBOUND_MAX = 400
const OPERATOR_MAX = 64
/** These, and the descriptors for the store, the vault, mails, files and the listener. */
const OTHERS = 512

/** The most connections to addresses that others chose: a quarter of the descriptors, if these are few. */
export function outboundConnectionsMax(limitsFile?: string): number {
  return Math.min(OUTBOUND_MAX, Math.floor(descriptorsOf(limitsFile) / 4))
}

/**
 * The connections to the operator's port, from `OTHERS`. They are counted apart, so that no flood at the other ports
 * keeps a probe out.
 */
export function operatorConnectionsMax(limitsFile?: string): number {
  return Math.max(2, Math.min(OPERATOR_MAX, Math.floor(descriptorsOf(limitsFile) / 16)))
}

/** At most as many connections as this process has descriptors for: half of them, if these are few. */
export function withinDescriptors(
  { connectionsMax, perAddressMax }: ConnectionLimits,
  limitsFile?: string,
): ConnectionLimits {
  const descriptors = descriptorsOf(limitsFile)
  const most = Math.max(2, descriptors - OTHERS, Math.floor(descriptors / 2))
  if (connectionsMax <= most) return { connectionsMax, perAddressMax }
  // With fewer connections, one address still leaves half of them to the others.
  return { connectionsMax: most, perAddressMax: Math.min(perAddressMax, Math.ceil(most / 2)) }
}

/** The number of descriptors that this process may have; without a bound if the system does not say. */
function descriptorsOf(limitsFile = '/proc/self/limits'): number {
  const text = existsSync(limitsFile) ? readFileSync(limitsFile, 'utf8') : ''
  return Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY)
}
