import type { RootProof, Vault } from '../../protocol/vault.ts'
import { readRecoveryText, type RecoveryEvent } from '../../trusted/vault/recovery/recovery-events.ts'
import { notedProofs } from '../copies/restored-note.ts'
import type { Store } from '../store/store.ts'

/** The note about uses of the shares of a recovery. Each line has a proof under the root key. */
const RECOVERY_NOTE = 'recovery'

const EVENTS_MAX = 100

/** If there are many lines, the oldest are dropped. */
export async function noteRecovery(
  store: Pick<Store, 'note' | 'replaceNote'>,
  { challenge, proof }: RootProof,
): Promise<void> {
  for (;;) {
    const standing = await store.note(RECOVERY_NOTE)
    const lines = (standing ?? '').split('\n').filter((line) => line !== '')
    const next = [...lines, `${challenge}\t${proof}`].slice(-EVENTS_MAX)
    if (await store.replaceNote(RECOVERY_NOTE, standing ?? null, `${next.join('\n')}\n`)) return
  }
}

/** The proven uses, oldest first, and the number of lines that this root key has not proven. */
export async function recoveryEvents(
  store: Pick<Store, 'note'>,
  vault: Pick<Vault, 'checkRootProof'>,
): Promise<{ readonly events: readonly (RecoveryEvent & RootProof)[]; readonly foreign: number }> {
  const events: (RecoveryEvent & RootProof)[] = []
  let foreign = 0
  for (const [challenge, proof] of notedProofs((await store.note(RECOVERY_NOTE)) ?? '').slice(-EVENTS_MAX)) {
    const event = readRecoveryText(challenge)
    const isOwn = event !== undefined && (await vault.checkRootProof({ challenge, proof })) === 'own'
    if (isOwn) events.push({ ...event, challenge, proof })
    else foreign++
  }
  return { events, foreign }
}

/** The times of the last rehearsal and the last use of each set. */
export type RecoveryNoted = {
  readonly sets: readonly {
    readonly set: string
    readonly rehearsedAt: number | null
    readonly usedAt: number | null
  }[]
  /** The number of lines without a proof. */
  readonly foreign: number
}

export async function recoveryNoted(
  store: Pick<Store, 'note'>,
  vault: Pick<Vault, 'checkRootProof'>,
): Promise<RecoveryNoted> {
  const { events, foreign } = await recoveryEvents(store, vault)
  const lastOf = (set: string, what: RecoveryEvent['what']) =>
    events.findLast((event) => event.set === set && event.what === what)?.at ?? null
  const sets = [...new Set(events.map(({ set }) => set))]
  return {
    sets: sets.map((set) => ({
      set,
      rehearsedAt: lastOf(set, 'rehearsed'),
      usedAt: lastOf(set, 'used'),
    })),
    foreign,
  }
}

/**
 * Proves the lines under the version that seals now. A line without a proof has no meaning, and is left out: it must
 * not prevent the retirement of a version.
 *
 * @returns  false if the note was changed in the meantime
 */
export async function renewRecoveries(
  store: Pick<Store, 'note' | 'replaceNote'>,
  vault: Pick<Vault, 'checkRootProof' | 'proveRoot'>,
): Promise<boolean> {
  const standing = await store.note(RECOVERY_NOTE)
  if (standing === undefined) return true
  let renewed = ''
  for (const { challenge } of (await recoveryEvents(store, vault)).events)
    renewed += `${challenge}\t${await vault.proveRoot(challenge)}\n`
  return renewed === standing || (await store.replaceNote(RECOVERY_NOTE, standing, renewed))
}
