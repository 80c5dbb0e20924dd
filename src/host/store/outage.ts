import { StoreError, type StoreErrorKind } from './store-error.ts'

/**
 * Whether an error is a fault of the environment instead of the service: the disk is full or fails, the database is
 * unreachable or out of resources. No unit was acknowledged, and the same request may be sent again.
 */
export function isStoreOutage(error: unknown): boolean {
  if (error instanceof StoreError) return OUTAGES.includes(error.kind)
  if (!(error instanceof Error)) return false
  // The lower byte is the primary result code; the others give details.
  if ('errcode' in error) return SQLITE_OUTAGES.includes(Number(error.errcode) & 0xff)
  return 'severity' in error && 'code' in error && POSTGRES_OUTAGES.test(String(error.code))
}

/**
 * For a running host the data becomes foreign when a newer version takes it over: other hosts serve it then. It meets a
 * server that is not durable after a failover, or after an operator has changed a setting.
 */
const OUTAGES: readonly StoreErrorKind[] = ['unavailable', 'closed', 'foreign', 'notDurable']

/** SQLITE_BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL. */
const SQLITE_OUTAGES: readonly number[] = [5, 6, 7, 8, 10, 13, 14, 15]

/**
 * PostgreSQL's own errors: connections (08), a server that became a standby (25006), a transaction that it ended since
 * the host stood still or took too long (25P03, 25P04), transactions that did not get past each other after many tries
 * (40001, 40P01), resources such as disk and connections (53), unavailable locks (55P03), statement timeouts and
 * shutdowns (57), and system errors (58).
 */
const POSTGRES_OUTAGES = /^(08|25006|25P03|25P04|40001|40P01|53|55P03|57|58)/
