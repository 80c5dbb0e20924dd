import { Failure } from '../../src/trusted/base/failure.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'

/** The same activity, telling of every failure that one of its own functions throws. */
export function watched(activity: Activity, onFailure: (kind: string) => void): Activity {
  const told = (error: unknown): never => {
    if (error instanceof Failure) onFailure(error.kind)
    throw error
  }
  const watch = <A extends readonly unknown[], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      try {
        return call(...args)
      } catch (error) {
        return told(error)
      }
    }
  }
  const { validate, verify, needs, facts, execute } = activity
  return {
    ...activity,
    ...(validate === undefined ? {} : { validate: watch(validate) }),
    ...(verify === undefined ? {} : { verify: async (...args) => await verify(...args).catch(told) }),
    ...(needs === undefined ? {} : { needs: watch(needs) }),
    ...(facts === undefined ? {} : { facts: watch(facts) }),
    execute: (execution) => {
      const effect = watch(execute)(execution)
      return effect instanceof Promise ? effect.catch(told) : effect
    },
  }
}
