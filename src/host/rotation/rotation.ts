import { isDeepStrictEqual } from 'node:util'
import type { PassCount, RootKeysShown, Vault } from '../../protocol/vault.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { repeated } from '../outside/repeated.ts'
import type { Timers } from '../outside/timers.ts'
import type { Store } from '../store/store.ts'
import { announceHost, type HostShown, hostShownOf, removeHost } from './hosts.ts'
import { resealStep } from './reseal-step.ts'
import type { Resealing } from './resealing-note.ts'
import { lackedVersion, noteSealedVersion, sealedVersion } from './sealed-version-note.ts'
import { tellRecovered } from './tell-recovered.ts'

/** The work of a running host for the root key. */
export type Rotation = {
  /** Resolves when this host has announced its keys for the first time; rejects if it could not. */
  readonly announced: Promise<void>
  /** The keys of this host as last read; undefined before the first read. */
  readonly self: () => HostShown | undefined
  /** Reads the root key file and looks for an order at once. */
  readonly wake: () => void
  /** For the metrics. */
  readonly progress: () => RotationProgress
  readonly stop: () => Promise<void>
}

export type RotationProgress = {
  readonly held: RootKeysShown | undefined
  /** By this host, since its start. */
  readonly resealed: number
  /** The count of the present pass, or of the last one. */
  readonly shown: PassCount | undefined
  readonly isResealing: boolean
}

export const LOOK_MS = 2_000
/** The interval of announcements that repeat what is announced. */
export const ANNOUNCE_MS = 10_000
/**
 * The pause, as a multiple of the time that a page takes: three quarters of the time remain for requests. The second
 * number is the shortest pause.
 */
const REST_FACTOR = 3
const REST_MS_MIN = 20

type RotationEvent =
  | { readonly kind: 'held'; readonly seals: number; readonly versions: string }
  | { readonly kind: 'trouble'; readonly trouble: string }
  | {
      readonly kind: 'resealing'
      readonly state: Resealing['state']
      readonly pass: number
      readonly rows: number
    }
  /** Rows are sealed under this version, and the root key file has none so new. */
  | { readonly kind: 'older'; readonly sealedUnder: number }
  /** Mails about a recovery of the root key were handed to the outbox. */
  | { readonly kind: 'recovered'; readonly mails: number }

/**
 * Reads the root key file again from time to time, announces its versions to the other hosts, and reseals rows if an
 * order exists. The store says that there is work, but never under which key: only the root key file contains that.
 */
export function startRotation(parts: {
  readonly store: Store
  readonly vault: Vault
  readonly now: () => Ms
  readonly timers: Timers
  readonly host: Pick<HostShown, 'id' | 'name' | 'release'>
  readonly onEvent: (event: RotationEvent) => void
  readonly onTrouble: (error: unknown) => void
}): Rotation {
  const { store, vault, now, timers, host, onEvent, onTrouble } = parts
  let held: RootKeysShown | undefined
  let last: HostShown | undefined
  let standing: Resealing | undefined
  let resealed = 0
  let isStopped = false
  /** The version in the store's note, or above it, at the last look. */
  let noted = 0

  const look = async (): Promise<void> => {
    const shown = await vault.rereadRootKey()
    if (shown.trouble !== undefined && shown.trouble !== held?.trouble)
      onEvent({ kind: 'trouble', trouble: shown.trouble })
    if (shown.seals !== held?.seals || versionsShown(shown) !== versionsShown(held))
      onEvent({ kind: 'held', seals: shown.seals, versions: versionsShown(shown) })
    held = shown
    if (noted < shown.seals) await note(shown)
    // An embedded store has no other hosts.
    if (store.engine === 'postgres') await announce(hostShownOf({ ...host, at: now() }, shown))
  }
  const note = async ({ seals, versions }: RootKeysShown): Promise<void> => {
    // An empty store waits for a restore, so it has to stay empty.
    if (await store.isEmpty()) return
    await noteSealedVersion(store, seals)
    noted = await sealedVersion(store)
    const lacked = lackedVersion(noted, Math.max(...versions.map(({ version }) => version)))
    if (lacked !== undefined) onEvent({ kind: 'older', sealedUnder: lacked })
  }
  const announce = async (next: HostShown): Promise<void> => {
    if (last !== undefined && isRepeated(last, next)) return
    await announceHost(store, next)
    last = next
  }
  const step = async (): Promise<boolean> => {
    const rest = (pageMs: Ms): Promise<void> =>
      new Promise((resolve) => {
        timers.after(Math.max(REST_MS_MIN, pageMs * REST_FACTOR), resolve)
      })
    const stepped = await resealStep({ store, vault, now, by: host.id, rest, isStopped: () => isStopped })
    if (stepped === undefined) return false
    const { state, passes, last, count } = stepped.standing
    if (state !== standing?.state || passes !== standing.passes)
      onEvent({ kind: 'resealing', state, pass: passes, rows: (last ?? count)?.rows ?? 0 })
    resealed += stepped.resealed
    standing = stepped.standing
    return state === 'running'
  }
  const tell = async (): Promise<boolean> => {
    const onUnread = (organizationId: string): void =>
      onTrouble(
        new Error(
          `nobody is told of the recovery in organization ${organizationId}: its charter does not carry the vault's seal`,
        ),
      )
    const mails = await tellRecovered({ store, vault, now, by: host.id, onUnread })
    if (mails !== undefined) onEvent({ kind: 'recovered', mails })
    return mails !== undefined
  }
  const first = Promise.withResolvers<void>()
  // Only a command waits for it; the trouble of a service is told below.
  first.promise.catch(() => undefined)
  const turning = repeated(
    {
      timers,
      onTrouble: (error) => {
        first.reject(error)
        onTrouble(error)
      },
    },
    { firstMs: 0, everyMs: LOOK_MS },
    async (again) => {
      await look()
      first.resolve()
      if ([await tell(), await step()].includes(true)) again(0)
    },
  )
  return {
    announced: first.promise,
    self: () => (held === undefined ? undefined : hostShownOf({ ...host, at: now() }, held)),
    wake: turning.wake,
    progress: () => ({
      held,
      resealed,
      shown: standing?.count ?? standing?.last ?? undefined,
      isResealing: standing?.state === 'running',
    }),
    stop: async () => {
      isStopped = true
      await turning.stop()
      if (store.engine === 'postgres') await removeHost(store, host.id).catch(onTrouble)
    },
  }
}

function isRepeated(announced: HostShown, next: HostShown): boolean {
  const isSame = isDeepStrictEqual({ ...announced, at: next.at }, next)
  return isSame && Math.abs(next.at - announced.at) < ANNOUNCE_MS
}

function versionsShown(shown: RootKeysShown | undefined): string {
  return (shown?.versions ?? []).map(({ version, id }) => `${version} (${id})`).join(', ')
}
