import type { Ms } from '../../../trusted/base/world.ts'
import { isRecovery } from '../../../trusted/vault/keys/needed-keys.ts'
import { privateText } from '../../../trusted/vault/keys/private-text.ts'
import { sealedFileIn } from '../../../trusted/vault/keys/sealed-file.ts'
import { type RecoveryEntry, recoveryEntryIn } from '../../../seals/recovery/recovery.ts'
import type { Config } from '../../app/config.ts'
import type { RecoveryNoted } from '../../rotation/recovery-notes.ts'
import type { Finding } from './finding.ts'

/** People move, and paper is lost: shares that were not checked for this long may be gone. */
const REHEARSED_MS_MAX = 365 * 24 * 60 * 60 * 1000

/** Whether the root key file has a recovery, and the time of the last successful check of its shares. */
export function recoveryFinding(config: Config, noted: RecoveryNoted, now: Ms): Finding {
  if (noted.foreign > 0)
    return {
      mark: '!!',
      text: `recovery: ${noted.foreign} lines of its note in the data have no proof of this root key`,
    }
  // The file belongs to another user, with the vault.
  if (config.vaultPath !== undefined) return { mark: 'ok', text: `recovery: ${lastNoted(noted)}` }
  const entry = entryOf(config)
  if (entry === undefined)
    return { mark: 'ok', text: 'no recovery of the root key: claviger recovery create makes one' }
  return rehearsedFinding(entry, noted, now)
}

export function rehearsedFinding(
  entry: Pick<RecoveryEntry, 'set' | 'threshold' | 'shares' | 'createdAt'>,
  noted: Pick<RecoveryNoted, 'sets'>,
  now: Ms,
): Finding {
  const last = noted.sets.find(({ set }) => set === entry.set)
  const { rehearsedAt = null, usedAt = null } = last ?? {}
  const text =
    `recovery by ${entry.threshold} of ${entry.shares.length} people, made ${day(entry.createdAt)}, ` +
    `${rehearsedAt === null ? 'never rehearsed' : `last rehearsed ${day(rehearsedAt)}`}` +
    `${usedAt === null ? '' : `, used ${day(usedAt)}`}`
  const isOld = now - Math.max(entry.createdAt, rehearsedAt ?? 0, usedAt ?? 0) > REHEARSED_MS_MAX
  return isOld ? { mark: '!!', text: `${text}: claviger recovery rehearse` } : { mark: 'ok', text }
}

function entryOf({ rootKeyPath, rootKeyReaders }: Config): RecoveryEntry | undefined {
  const found = sealedFileIn(privateText(rootKeyPath, 'root key file', rootKeyReaders))?.sealedBy.find(
    isRecovery,
  )
  return found === undefined ? undefined : recoveryEntryIn(found)
}

function lastNoted({ sets }: RecoveryNoted): string {
  const rehearsals = sets.flatMap(({ rehearsedAt }) => (rehearsedAt === null ? [] : [rehearsedAt]))
  return rehearsals.length === 0
    ? 'the data has no rehearsal, and the root key file is with the vault'
    : `last rehearsed ${day(Math.max(...rehearsals))}, as the data say`
}

function day(at: Ms): string {
  return new Date(at).toISOString().slice(0, 10)
}
