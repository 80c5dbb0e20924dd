import type { Costed, Decision } from '../../protocol/vault.ts'
import type { CommitResult } from '../store/store.ts'
import { readCharter } from '../../trusted/charter/charter-document.ts'
import { rootAddresses } from '../../trusted/charter/root-addresses.ts'
import { broughtMeters } from './brought-meters.ts'
import { chargeOf } from './charge.ts'
import type { Admit } from './commits.ts'
import { type Carried, decideOnce } from './decide-once.ts'
import type { Host } from './host.ts'
import type { Progress } from './states.ts'

type Unit = Costed<Extract<Decision, { readonly kind: 'commit' }>>

type Attempt =
  | { readonly decision: Exclude<Decision, { readonly kind: 'commit' }>; readonly committing?: undefined }
  /** `committing`: what becomes of the unit. */
  | { readonly decision: Unit; readonly committing: Promise<CommitResult> }

/** Decides once, and lets a unit go to the store. */
export async function attempt(host: Host, carried: Carried, progress: Progress): Promise<Attempt> {
  const { metersNeeded } = progress
  const confirm = host.store.confirmer()
  const meters = metersNeeded === undefined ? undefined : await broughtMeters(host.store, metersNeeded)
  const decision = await decideOnce(host, carried, progress, { meters, confirm })
  if (decision.kind !== 'commit') return { decision }
  const { ticket, unit } = decision
  const charge = chargeOf(host, carried.submission, decision)
  const charged = charge === undefined ? unit : { ...unit, charge }
  const admit =
    carried.admitMails === undefined || unit.jobs.length === 0 ? undefined : admitOf(host, carried, unit)
  return { decision, committing: host.commits.commit({ ticket, unit: charged, admit }) }
}

/**
 * Mails to root users are counted for whom they go to: those of the very charter that was decided on. Of an earlier one
 * somebody could have taken the address away from its root users, and have given it to them before this unit's turn.
 */
function admitOf(
  host: Pick<Host, 'charters'>,
  { organizationId, admitMails }: Carried,
  { guards }: Unit['unit'],
): Admit {
  return async () => {
    const row = await host.charters.get(organizationId, false)
    const isDecidedOn = guards.some(
      (guard) => guard.organizationId === organizationId && guard.version === row?.version,
    )
    if (row === undefined || !isDecidedOn) return { kind: 'conflict', conflict: 'guard' }
    admitMails?.(rootAddresses(readCharter(row.body)))
    return undefined
  }
}
