import { hostname } from 'node:os'
import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Vault } from '../../protocol/vault.ts'
import { realTimers } from '../outside/timers.ts'
import { releaseOf } from '../rotation/hosts.ts'
import { type Rotation, startRotation } from '../rotation/rotation.ts'
import type { Store } from '../store/store.ts'
import type { Log } from './log.ts'
import { packageVersion } from './package-version.ts'

/** The work of this host for the root key, and its log lines. */
export function startRotating({
  store,
  vault,
  log,
  onTrouble,
}: {
  readonly store: Store
  readonly vault: Vault
  readonly log: Log
  readonly onTrouble: (error: unknown) => void
}): Rotation {
  return startRotation({
    store,
    vault,
    now: realWorld.now,
    timers: realTimers,
    host: {
      id: toHex(realWorld.randomBytes(8)),
      name: hostname(),
      release: releaseOf(packageVersion()),
    },
    onEvent: ({ kind, ...event }) => {
      if (kind === 'trouble') log('error', 'root key file not accepted', event)
      else if (kind === 'older') log('error', 'older root key file', { ...event, detail: OLDER })
      else log('info', EVENTS[kind], event)
    },
    onTrouble,
  })
}

const OLDER =
  'rows of this data are sealed under a version that the root key file lacks, and cannot be opened: bring the newest file'

const EVENTS = { held: 'root key', resealing: 'resealing', recovered: 'root key recovered' } as const
