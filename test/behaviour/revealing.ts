import type { Secret } from '../../src/trusted/base/secret.ts'
import type { Activity, Effect } from '../../src/trusted/catalogue/activity.ts'
import type { Gathered, Needs } from '../../src/trusted/catalogue/objects.ts'

/**
 * The same activity, telling of the bytes of every secret that is opened for it and that it makes: the very bytes, no
 * copies.
 */
export function revealing(activity: Activity, tell: (bytes: Uint8Array) => void): Activity {
  const tellAll = (things: readonly { readonly secret: Secret }[]): void => {
    for (const { secret } of things) tell(secret.reveal())
  }
  const tellRows = (rows: Gathered<Needs>): void => {
    for (const found of Object.values(rows)) if (Array.isArray(found)) tellAll(found)
  }
  const tellEffect = (effect: Effect<unknown>): Effect<unknown> => {
    for (const { put = [] } of [effect, ...(effect.established ?? [])]) tellAll(put)
    return effect
  }
  const { facts } = activity
  return {
    ...activity,
    // Asked for in rehearsals too, which carry nothing out.
    facts: (subject) => {
      tellRows(subject.rows)
      return facts?.(subject) ?? {}
    },
    execute: (execution) => {
      tellRows(execution.rows)
      const effect = activity.execute(execution)
      return effect instanceof Promise ? effect.then(tellEffect) : tellEffect(effect)
    },
  }
}
