import type { Socket } from 'node:net'
import type pg from 'pg'
import { type Reading, serverTimelineOf } from './server-timeline.ts'
import type { Servers } from './servers.ts'
import { StoreError } from '../store-error.ts'

/** @throws StoreError `unavailable` unless this connection leads to the newest primary that was met */
export async function checkPrimary(
  client: Pick<pg.ClientBase, 'query'>,
  { where, socket, ...reading }: Reading & { readonly where: Servers; readonly socket: Socket | undefined },
): Promise<void> {
  const timeline = await serverTimelineOf(client, reading)
  if (timeline === undefined)
    throw new StoreError(
      'unavailable',
      'this server of PostgreSQL takes no writes: it is a standby, or set to read only',
    )
  if (where.isBehind(timeline, socket))
    throw new StoreError(
      'unavailable',
      where.newest()?.system === timeline.system
        ? 'this server of PostgreSQL is behind one that was used before: another one was promoted since'
        : 'this server of PostgreSQL is of another cluster than the one that was used before: start the service anew where that is meant',
    )
}
