import { costs } from '../base/costs.ts'
import { idAt } from '../base/ids.ts'
import { Lru } from '../base/lru.ts'
import type { Work } from '../base/work.ts'
import type { Ms } from '../base/world.ts'
import { recoveryMails } from '../activities/organizations/recovery-mails.ts'
import { emptyUnit, type JobRow } from '../catalogue/unit.ts'
import type { Charter } from '../charter/charter.ts'
import {
  afterHeartbeat,
  type RecoveryAttempt,
  recoveryAttemptOf,
  recoverySetOf,
  withoutRecoveryAttempt,
  withRecoveryAttempt,
} from '../charter/organization-recovery.ts'
import type { Heartbeat, HeartbeatRequest } from '../../protocol/vault.ts'
import { lookupChanges } from './carry-out.ts'
import { FOR_EVER, outdated } from './rollback-guard.ts'
import { fitsCharter, openCharter, sealCharter, sealJob } from './seals.ts'
import { UnderWay } from './units-under-way.ts'
import type { VaultContext } from './vault-context.ts'

const HOUR_MS = 60 * 60 * 1000
/** A reminder to all root users for each day of the delay. */
const HEARTBEATS_OF_A_DAY = 24
const ATTEMPTS_MAX = 100_000

/** Since when this vault has been shown the attempts that it was shown, each with its newest heartbeat. */
export class ShownHeartbeats {
  readonly #shown = new Lru<{ readonly attemptId: string; readonly heartbeats: number; readonly since: Ms }>(
    ATTEMPTS_MAX,
  )

  /** How long it has been since the attempt was shown first with so many heartbeats. */
  heldFor(organizationId: string, { attemptId, heartbeats }: RecoveryAttempt, elapsed: Ms): Ms {
    const known = this.#shown.get(organizationId)
    if (known?.attemptId === attemptId && known.heartbeats === heartbeats) return elapsed - known.since
    this.#shown.set(organizationId, { attemptId, heartbeats, since: elapsed })
    return 0
  }
}

/**
 * Counts one more hour of an attempt to recover an organization, when an hour has passed since this vault was first shown the one
 * before. It is counted by a clock that nobody sets, and in the charter, which has to have been shown to whichever vault counts the
 * next: two vaults are no faster than one, and a restart loses what has passed of an hour (docs/decisions/break-glass.md).
 */
export async function heartbeat(
  vaultContext: VaultContext,
  shown: ShownHeartbeats,
  { charter: row }: HeartbeatRequest,
  work: Work,
): Promise<Heartbeat> {
  const { keyring, memory, world } = vaultContext
  const now = world.now()
  try {
    await work.step(costs.row + row.body.length * costs.charterCharacter)
    const { organizationId, version: revision, seal } = row
    const charter = openCharter(keyring, row)
    const state = { revision, seal, until: FOR_EVER }
    memory.charters.see(organizationId, state, now, (known) => fitsCharter(keyring, row, known))
    const attempt = recoveryAttemptOf(charter)
    const set = recoverySetOf(charter)
    if (attempt === undefined || set === undefined || charter.deleted) return { kind: 'none' }
    const heldFor = shown.heldFor(organizationId, attempt, world.elapsed())
    if (heldFor < HOUR_MS) return { kind: 'waits', forMs: Math.ceil(HOUR_MS - heldFor) }
    const next = afterHeartbeat(attempt, set)
    const unit = unitOf(vaultContext, charter, attempt, next)
    return { kind: 'counted', unit, ticket: memory.handOut(unit, now) }
  } catch (error) {
    if (error instanceof UnderWay) return { kind: 'waits', forMs: 0 }
    return outdated(error)
  }
}

function unitOf(
  { keyring, world }: VaultContext,
  charter: Charter,
  attempt: RecoveryAttempt,
  next: RecoveryAttempt | undefined,
) {
  const { organizationId, version } = charter
  const now = world.now()
  const features = next === undefined ? withoutRecoveryAttempt(charter) : withRecoveryAttempt(charter, next)
  const amended = { ...features, version: version + 1, updatedAt: now }
  return {
    ...emptyUnit,
    guards: [{ organizationId, version }],
    charters: [sealCharter(keyring, amended)],
    directory: lookupChanges(charter, amended),
    jobs: mailsAbout(charter, attempt, next).map((message): JobRow => {
      const jobId = idAt(now, world.randomBytes)
      const place = { organizationId, jobId, kind: 'email', createdAt: now } as const
      return sealJob(keyring, place, message, world.randomBytes)
    }),
  }
}

function mailsAbout(charter: Charter, attempt: RecoveryAttempt, next: RecoveryAttempt | undefined) {
  if (next === undefined) return recoveryMails(charter, attempt, 'lapsed')
  return next.heartbeats % HEARTBEATS_OF_A_DAY === 0 ? recoveryMails(charter, next, 'goesOn') : []
}
