import { useState } from 'preact/hooks'

/** Something that a press of a button starts: at most one at a time, with its failure kept for showing. */
type Action = {
  readonly isBusy: boolean
  readonly error: unknown
  readonly run: (work: () => Promise<void>) => void
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const run: Action['run'] = (work) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    work()
      .catch(setError)
      .finally(() => setBusy(false))
  }
  return { isBusy, error, run }
}
