import type { Costed, Decision } from '../../protocol/vault.ts'
import type { CommitResult } from '../store/store.ts'
import { broughtMeters } from './brought-meters.ts'
import { chargeOf } from './charge.ts'
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
  const meters = metersNeeded === undefined ? undefined : await broughtMeters(host.store, metersNeeded)
  const decision = await decideOnce(host, carried, progress, meters)
  if (decision.kind !== 'commit') return { decision }
  const { ticket, unit } = decision
  const charge = chargeOf(host, carried.submission.activity, decision)
  const charged = charge === undefined ? unit : { ...unit, charge }
  return { decision, committing: host.commits.commit({ ticket, unit: charged }) }
}
