import type { Inbox } from '../delivery/inbox.ts'
import type { Host } from '../pipeline/host.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { Observed } from './observed.ts'
import type { OpenedService } from './open-service.ts'
import type { Running } from './running.ts'

/** The parts of a service, for the steps of its start and of its end. */
export type ServiceParts = Omit<OpenedService, 'host'> & {
  readonly config: Config
  readonly log: Log
  readonly inbox: Inbox | undefined
  /** Its calls and commits are measured. */
  readonly host: Host
  readonly observed: Observed
  readonly running: Running
}
