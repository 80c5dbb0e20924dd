import type { AuditEvent } from './audit-event.ts'

/** Hands events over, in this order; rejects where it is not known that all of them have arrived. */
export type AuditSink = (events: readonly AuditEvent[]) => Promise<void>

/** Where the operator wants the audit stream. */
export type AuditTarget =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'syslog'; readonly at: SyslogAddress }
  | { readonly kind: 'http'; readonly url: string; readonly authorization: string | undefined }

export type SyslogAddress =
  | { readonly transport: 'unix'; readonly path: string }
  | { readonly transport: 'tcp' | 'tls'; readonly host: string; readonly port: number }

/** Shorter than the lease of a job. */
export const AUDIT_TIMEOUT_MS = 20_000
