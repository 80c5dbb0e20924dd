import type { Log } from './log.ts'

/**
 * Says once that requests come through somebody who is not trusted: every caller behind them has one address then, and
 * so one share of every limit. A stranger can write the header too, and gets one line out of it.
 *
 * @returns  to be called for each request with X-Forwarded-For; undefined where a proxy is trusted
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
