import { mutexes } from '../../trusted/base/keyed-mutex.ts'
import type { Decision, MeterId } from '../../protocol/vault.ts'
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

/**
 * Decides once, and lets a unit go to the store. Requests with one meter are decided one after the other, each on the row that the one
 * before leaves, so that they do not undo each other's work; exactness does not rest on it.
 */
export async function attempt(host: Host, carried: Carried, progress: Progress): Promise<Attempt> {
  const { meterIds } = progress
  if (meterIds.length === 0) return committed(host, await decideOnce(host, carried, progress, undefined))
  return await mutexes(host.keyedMutex, namesOf(meterIds), async () => {
    const { meters, ended } = await broughtMeters(host, meterIds)
    const decision = await decideOnce(host, carried, progress, meters)
    if (decision.kind !== 'meters' || ended.length === 0) return committed(host, decision)
    // The answer would rest on a use that may never come to be: it is asked again when that is known.
    await Promise.all(ended)
    const now = await broughtMeters(host, meterIds)
    return committed(host, await decideOnce(host, carried, progress, now.meters))
  })
}

function committed(host: Host, decision: Decision): Attempt {
  if (decision.kind !== 'commit') return { decision }
  const committing = host.commits.commit(decision)
  host.metersUnderWay.put(decision.unit, committing)
  return { decision, committing }
}

/** As the mutex of the host names meters. */
function namesOf(ids: readonly MeterId[]): readonly string[] {
  return ids.map(({ objectId }) => `meter ${objectId}`).toSorted()
}
