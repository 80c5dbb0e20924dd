import { webhookOrderingKey } from './ordering-keys.ts'

/**
 * The audience of the audit stream's jobs: an audience besides the organizations, whose name cannot be that of an
 * organization, since their ids are UUIDs. Every activity with this audience becomes a job under one ordering key, so
 * its lines are sent in the order of the commits.
 */
export const AUDIT = { scope: '@audit', target: 'stream' } as const

export const AUDIT_ORDERING_KEY = webhookOrderingKey(AUDIT)
