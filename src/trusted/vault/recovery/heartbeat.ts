import { idAt } from '../../base/ids.ts'
import { finished, type Work } from '../../base/work.ts'
import { recoveryMails } from '../../activities/organizations/recovery-mails.ts'
import { emptyUnit, type JobRow } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import {
  afterHeartbeat,
  type RecoveryAttempt,
  recoveryAttemptOf,
  recoverySetOf,
  withoutRecoveryAttempt,
  withRecoveryAttempt,
} from '../../charter/organization-recovery.ts'
import type { Heartbeat, HeartbeatRequest } from '../../../protocol/vault.ts'
import { seeCharter } from '../charters/see-charter.ts'
import { lookupChanges } from '../decision/directory-changes.ts'
import { outdated } from '../memory/rollback-guard.ts'
import { costOfCharter } from '../seals/row-costs.ts'
import { sealCharter, sealJob } from '../seals/seals.ts'
import { UnderWay } from '../memory/units-under-way.ts'
import type { VaultContext } from '../vault-context.ts'
import { HOUR_MS } from './shown-heartbeats.ts'

/** A reminder to all root users for each day of the delay. */
const HEARTBEATS_OF_A_DAY = 24

type Means = Pick<VaultContext, 'keyring' | 'memory' | 'shownHeartbeats' | 'world'>

/**
 * Counts one more hour of an attempt to recover an organization, when an hour has passed since this vault was first
 * shown the one before. A monotonic clock measures the hour, and the charter stores the count, which the vault that
 * counts the next hour must have seen: two vaults are no faster than one, and a restart loses the current partial hour
 * (docs/decisions/break-glass.md).
 */
export async function heartbeat(
  means: Means,
  { charter: row }: HeartbeatRequest,
  work: Work,
): Promise<Heartbeat> {
  const { memory, shownHeartbeats, world } = means
  const now = world.now()
  try {
    await work.step(costOfCharter(row))
    const charter = seeCharter(means, row, now)
    const attempt = recoveryAttemptOf(charter)
    const set = recoverySetOf(charter)
    if (attempt === undefined || set === undefined || charter.deleted) return { kind: 'none' }
    const heldFor = shownHeartbeats.heldFor(charter, attempt, world.elapsed())
    if (heldFor < HOUR_MS) return { kind: 'waits', forMs: Math.ceil(HOUR_MS - heldFor) }
    const next = afterHeartbeat(attempt, set)
    const unit = unitOf(means, charter, attempt, next)
    return { kind: 'counted', unit, ticket: memory.handOut(unit, now) }
  } catch (error) {
    if (error instanceof UnderWay) return { kind: 'waits', forMs: 0 }
    return outdated(error)
  }
}

function unitOf(means: Means, charter: Charter, attempt: RecoveryAttempt, next: RecoveryAttempt | undefined) {
  const { keyring, world } = means
  const { organizationId, version } = charter
  const now = world.now()
  const features = next === undefined ? withoutRecoveryAttempt(charter) : withRecoveryAttempt(charter, next)
  const amended = { ...features, version: version + 1, updatedAt: now }
  return {
    ...emptyUnit,
    guards: [{ organizationId, version }],
    charters: [sealCharter(keyring, amended)],
    directory: finished(lookupChanges(charter, amended)),
    jobs: mailsAbout(means, charter, attempt, next).map((message): JobRow => {
      const jobId = idAt(now, world.randomBytes)
      const place = { organizationId, jobId, kind: 'email', createdAt: now } as const
      return sealJob(keyring, place, message, world.randomBytes)
    }),
  }
}

/**
 * Mails are sent each day, and with the first hour that a restarted vault counts, because its charter may be from an
 * earlier time.
 */
function mailsAbout(
  { shownHeartbeats }: Means,
  charter: Charter,
  attempt: RecoveryAttempt,
  next: RecoveryAttempt | undefined,
) {
  if (next === undefined) return recoveryMails(charter, attempt, 'lapsed')
  const isFirst =
    attempt.heartbeats > 0 && shownHeartbeats.countedSince(charter.organizationId, attempt) === 0
  return isFirst || next.heartbeats % HEARTBEATS_OF_A_DAY === 0 ? recoveryMails(charter, next, 'goesOn') : []
}
