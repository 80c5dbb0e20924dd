import { StoreError, type StoreErrorKind } from './store-error.ts'

/**
 * Whether an error is one of the surroundings and not of the service: the disk is full or fails, the database is away
 * or out of means. Nothing was acknowledged, and the same request may be sent again.
 */
export function isStoreOutage(error: unknown): boolean {
  if (error instanceof StoreError) return OUTAGES.includes(error.kind)
  if (!(error instanceof Error)) return false
  // The lower byte is the primary result code, the rest says more.
  if ('errcode' in error) return SQLITE_OUTAGES.includes(Number(error.errcode) & 0xff)
  return 'severity' in error && 'code' in error && POSTGRES_OUTAGES.test(String(error.code))
}

/** Of a running host the data is foreign once a newer version has taken it over: other hosts serve it. */
const OUTAGES: readonly StoreErrorKind[] = ['unavailable', 'closed', 'foreign']

/** SQLITE_BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL. */
const SQLITE_OUTAGES: readonly number[] = [5, 6, 7, 8, 10, 13, 14, 15]

/**
 * Of the server's own errors: connections (08), a server that became a standby (25006), resources such as disk and
 * connections (53), locks that were not to be had (55P03), statements that took too long and shutdowns (57), and errors
 * of its system (58).
 */
const POSTGRES_OUTAGES = /^(08|25006|53|55P03|57|58)/
