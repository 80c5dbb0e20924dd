import { errorBody, Failure, UNAVAILABLE } from '../../trusted/base/failure.ts'
import { realTimers } from '../outside/timers.ts'
import type { Answer } from '../http/route.ts'
import type { ArchivedActivities } from '../copies/archives/archived-activities.ts'
import type { Part } from '../pipeline/part-in-outage.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../../protocol/vault.ts'
import { type Check, coalescedCheck } from './coalesced-check.ts'

/** A call of `/readyz` is answered within two seconds: with a recent result, or with a new one. */
export const READY_MS_MAX = 2_000
const FRESH_MS = 500

export type Checks = { readonly [part in Part]: Check }

/** Whether the store makes a write durable, whether the vault answers, and whether the archives can be opened. */
export function partChecks(
  {
    store,
    vault,
    archives,
  }: {
    readonly store: Pick<Store, 'probe'>
    readonly vault: Pick<Vault, 'proveRoot'>
    /** Absent if there are none. */
    readonly archives?: Pick<ArchivedActivities, 'look'> | undefined
  },
  timers = realTimers,
): Checks {
  const limits = { timers, deadlineMs: READY_MS_MAX - FRESH_MS, freshMs: FRESH_MS }
  return {
    store: coalescedCheck(() => store.probe(), limits),
    vault: coalescedCheck(() => vault.proveRoot('ready'), limits),
    archives: coalescedCheck(async () => await archives?.look(), limits),
  }
}

/**
 * The answer of `/readyz`: it names each part that does not work, or is known to fail requests. Without its archives a
 * host still serves everything else.
 */
export async function readiness(
  checks: Checks,
  state: { readonly isDraining: boolean; readonly isOut: (part: Part) => boolean },
): Promise<Answer> {
  if (state.isDraining) return notReady('the service is shutting down')
  const [store, vault] = await Promise.all([checks.store(), checks.vault()])
  const why = [
    store && !state.isOut('store') ? [] : ['the store does not accept writes'],
    vault && !state.isOut('vault') ? [] : ['the vault does not answer'],
  ].flat()
  return why.length === 0 ? { kind: 'ok', body: '{"status":"ready"}' } : notReady(why.join(', and '))
}

function notReady(why: string): Answer {
  return { kind: 'error', error: errorBody(new Failure('notReady', UNAVAILABLE, `not ready: ${why}`, [])) }
}
