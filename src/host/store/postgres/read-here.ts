import type { ChargedUnit } from '../quotas/quota.ts'
import type { Connections } from './connection.ts'

/**
 * Whether a unit was decided on the rows of the server that it is written to. A unit may wait for a connection during a
 * failover, after which its guards can hold by chance. Asked when there is a connection: it leads to the newest server.
 */
export function isReadHere({ readFrom }: ChargedUnit, { timeline }: Pick<Connections, 'timeline'>): boolean {
  return readFrom === undefined || readFrom === timeline()
}
