import type { Log } from './log.ts'

/**
 * Reports once that requests come through an untrusted proxy: then all callers behind it have one address, and one
 * share of every limit. A stranger can write the header too, which causes one line at most.
 *
 * @returns  a function for each request with X-Forwarded-For; undefined if a proxy is trusted
 */
export function warnOfForwarding(log: Log, trustedProxies: readonly string[]): (() => void) | undefined {
  if (trustedProxies.length > 0) return undefined
  let isSaid = false
  return () => {
    if (isSaid) return
    isSaid = true
    const advice = 'if the service stands behind a proxy, name it in CLAVIGER_TRUSTED_PROXIES'
    log('warn', 'X-Forwarded-For is sent and not read', { advice })
  }
}
