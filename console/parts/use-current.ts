import { useState } from 'preact/hooks'
import { useAction } from './use-action.ts'

/** A change that replaces a whole, which others may have changed since the page showed it. */
type Current = {
  readonly isBusy: boolean
  readonly error: unknown
  /** Whether the last one was not sent, because the whole was another by then. */
  readonly isOutdated: boolean
  /**
   * @param isCurrent  asks whether the whole is still what was shown
   * @param send       if it is
   * @param show       shows it as it is now, if it is not
   */
  readonly run: (isCurrent: () => Promise<boolean>, send: () => void, show: () => void) => void
}

export function useCurrent(): Current {
  const { isBusy, error, run } = useAction()
  const [isOutdated, setOutdated] = useState(false)
  return {
    isBusy,
    error,
    isOutdated,
    run: (isCurrent, send, show) =>
      run(async () => {
        const is = await isCurrent()
        setOutdated(!is)
        if (is) send()
        else show()
      }),
  }
}
