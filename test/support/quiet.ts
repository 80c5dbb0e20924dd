import type { Host } from '../../src/host/pipeline/host.ts'

/** A host that finds out nothing outside and delivers nothing, and a server that believes no proxy. */
export const quietHost: Pick<Host, 'outside' | 'onCommitted'> = {
  outside: async () => ({ kind: 'failed', why: 'this test has nothing outside' }),
  onCommitted: () => {},
}

export const noProxies = { isTrustedProxy: (): boolean => false }
