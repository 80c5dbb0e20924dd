import type { Costed, Decision } from '../../protocol/vault.ts'
import type { CommitResult } from '../store/store.ts'
import { readCharter } from '../../trusted/charter/charter-document.ts'
import { rootAddresses } from '../../trusted/charter/root-addresses.ts'
import { broughtMeters } from './brought-meters.ts'
import { chargeOf } from './charge.ts'
import type { Admit } from './commits.ts'
import type { Carried } from './carried.ts'
import { vaultDecision } from './vault-decision.ts'
import type { Host } from './host.ts'
import type { Progress } from './states.ts'

type Unit = Costed<Extract<Decision, { readonly kind: 'commit' }>>

type Attempt =
  | { readonly decision: Exclude<Decision, { readonly kind: 'commit' }>; readonly committing?: undefined }
  /** `committing`: the outcome of the unit. */
  | { readonly decision: Unit; readonly committing: Promise<CommitResult> }

/** One decision of the vault; a unit goes to the store. */
export async function attempt(host: Host, carried: Carried, progress: Progress): Promise<Attempt> {
  const { metersNeeded } = progress
  const confirm = host.store.confirmer()
  const readFrom = host.store.server()
  const meters = metersNeeded === undefined ? undefined : await broughtMeters(host.store, metersNeeded)
  const { decision, found } = await vaultDecision(host, carried, progress, { meters, confirm })
  if (decision.kind !== 'commit') return { decision }
  const { ticket, unit } = decision
  const charge = chargeOf(host, carried.submission, decision)
  const charged = {
    ...unit,
    readFrom,
    ...(charge === undefined ? {} : { charge }),
    ...(unit.charters.length === 0 || found.length === 0 ? {} : { found }),
  }
  const admit =
    carried.admitMails === undefined || unit.jobs.length === 0 ? undefined : admitOf(host, carried, unit)
  return { decision, committing: host.commits.commit({ ticket, unit: charged, admit }) }
}

/**
 * Counts mails to root users by their addresses in the very charter of the decision. An earlier charter could have
 * other root users: an attacker could have removed the address from them, and given it to new ones before this unit's
 * turn.
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
