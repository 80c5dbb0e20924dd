import type { AuditEvent } from './audit-event.ts'

/** Passes events on, in this order; rejects unless all of them are known to have arrived. */
export type AuditSink = (events: readonly AuditEvent[]) => Promise<void>

/** The destination of the audit stream in the settings. */
export type AuditTarget =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'syslog'; readonly at: SyslogAddress }
  | { readonly kind: 'http'; readonly url: string; readonly authorization: string | undefined }

export type SyslogAddress =
  | { readonly transport: 'unix'; readonly path: string }
  | { readonly transport: 'tcp' | 'tls'; readonly host: string; readonly port: number }

/** Shorter than the lease of a job. */
export const AUDIT_TIMEOUT_MS = 20_000
