import { webhookOrderingKey } from './ordering-keys.ts'

/**
 * Whom the audit stream's jobs are for: an audience beside the organizations, which no organization can be, since their
 * ids are UUIDs. Every activity that is told to it is a job under one ordering key, so its lines go out in the order of
 * the commits.
 */
export const AUDIT = { scope: '@audit', target: 'stream' } as const

export const AUDIT_ORDERING_KEY = webhookOrderingKey(AUDIT)
