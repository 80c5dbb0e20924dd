import { FairLru } from '../../base/fair-lru.ts'
import type { Ms } from '../../base/world.ts'
import { type Charter, tenantOf } from '../../charter/charter.ts'
import type { RecoveryAttempt } from '../../charter/organization-recovery.ts'

const ATTEMPTS_MAX = 100_000

export const HOUR_MS: Ms = 60 * 60 * 1000

type OfOrganization = Pick<Charter, 'organizationId' | 'parentId'>

type Shown = {
  readonly attemptId: string
  readonly heartbeats: number
  readonly since: Ms
  /** Of the heartbeats these were not counted while this vault knew the attempt. */
  readonly before: number
  /** When it was shown the attempt first. */
  readonly knownSince: Ms
}

/**
 * Since when this vault has been shown the attempts that it was shown, each with its newest heartbeat. Tenants share
 * the room fairly: the hours of an attempt that is forgotten again and again are never counted.
 */
export class ShownHeartbeats {
  readonly #shown: FairLru<Shown>

  constructor(attemptsMax: number = ATTEMPTS_MAX) {
    this.#shown = new FairLru(attemptsMax)
  }

  /** The time since the attempt was first seen with this number of heartbeats. */
  heldFor(charter: OfOrganization, { attemptId, heartbeats }: RecoveryAttempt, elapsed: Ms): Ms {
    const { organizationId } = charter
    const shown = this.#shown.get(organizationId)
    const known = shown?.attemptId === attemptId ? shown : undefined
    if (known?.heartbeats === heartbeats) return elapsed - known.since
    const knownSince = known?.knownSince ?? elapsed
    // A database can show charters of long ago one after the other: their hours did not pass here.
    const passed = Math.floor((elapsed - knownSince) / HOUR_MS)
    const counted = known === undefined ? 0 : Math.min(passed, known.heartbeats - known.before + 1)
    const before = Math.max(known?.before ?? heartbeats, heartbeats - counted)
    const tenant = tenantOf(charter)
    const owner = { tenant, organization: tenant }
    this.#shown.set(organizationId, { attemptId, heartbeats, since: elapsed, before, knownSince }, owner)
    return 0
  }

  /**
   * How many hours of the attempt have been counted since this vault knows it, by this vault or another one: at most as
   * many as have passed, and as it was shown. None of an attempt that it was never shown.
   */
  countedSince(organizationId: string, { attemptId, heartbeats }: RecoveryAttempt): number {
    const known = this.#shown.get(organizationId)
    if (known?.attemptId !== attemptId) return 0
    return Math.max(0, Math.min(heartbeats, known.heartbeats) - known.before)
  }
}
