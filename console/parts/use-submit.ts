import { useState } from 'preact/hooks'
import type { Answered } from '../service/answered.ts'
import { useAction } from './use-action.ts'

/** Changes that a screen asks for: one at a time, and what came of the last one. */
export type Submitting = {
  readonly isBusy: boolean
  readonly error: unknown
  /** The last one that the service took; it may wait for others. */
  readonly activity: Answered | undefined
  /** @param onTaken  is called once the service has taken it, such as to close a form and to read a list anew */
  readonly run: (submit: () => Promise<Answered>, onTaken?: () => void) => void
}

export function useSubmit(): Submitting {
  const { isBusy, error, run } = useAction()
  const [activity, setActivity] = useState<Answered | undefined>(undefined)
  return {
    isBusy,
    error,
    activity,
    run: (submit, onTaken = () => {}) => {
      setActivity(undefined)
      run(async () => {
        setActivity(await submit())
        onTaken()
      })
    },
  }
}
