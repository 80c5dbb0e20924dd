import type { Decision } from '../../protocol/vault.ts'
import type { CommitResult } from '../store/store.ts'
import { broughtMeters } from './brought-meters.ts'
import { type Carried, decideOnce } from './decide-once.ts'
import type { Host } from './host.ts'
import type { Progress } from './states.ts'

type Unit = Extract<Decision, { readonly kind: 'commit' }>

type Attempt =
  | { readonly decision: Exclude<Decision, Unit>; readonly committing?: undefined }
  /** `committing`: what becomes of the unit. */
  | { readonly decision: Unit; readonly committing: Promise<CommitResult> }

/** Decides once, and lets a unit go to the store. */
export async function attempt(host: Host, carried: Carried, progress: Progress): Promise<Attempt> {
  const { metersNeeded } = progress
  const meters = metersNeeded === undefined ? undefined : await broughtMeters(host.store, metersNeeded)
  const decision = await decideOnce(host, carried, progress, meters)
  return decision.kind === 'commit' ? { decision, committing: host.commits.commit(decision) } : { decision }
}
