import type { Server } from 'node:http'
import type { Delivery } from '../delivery/runner.ts'
import type { ChangeStreams } from '../http/changes/change-streams.ts'
import type { Repeated } from '../outside/repeated.ts'
import type { Rotation } from '../rotation/rotation.ts'
import type { RequestLog } from './request-log.ts'
import type { Tracing } from './tracing.ts'
import type { QuotaWatch } from './watching-quotas.ts'

/**
 * What runs of a service at the moment. Its routes are made before most of it is started, and look here when they are
 * called.
 */
export type Running = {
  isDraining: boolean
  readonly servers: Server[]
  requestLog: RequestLog | undefined
  tracing: Tracing | undefined
  streams: ChangeStreams | undefined
  delivery: Delivery | undefined
  rotation: Rotation | undefined
  quotaWatch: QuotaWatch | undefined
  /** Work that ends after the requests and the deliveries. */
  readonly background: Pick<Repeated, 'stop'>[]
}

export function nothingRunning(): Running {
  return {
    isDraining: false,
    servers: [],
    requestLog: undefined,
    tracing: undefined,
    streams: undefined,
    delivery: undefined,
    rotation: undefined,
    quotaWatch: undefined,
    background: [],
  }
}
