import { useEffect, useRef, useState } from 'preact/hooks'

export type Loaded<T> = {
  readonly state:
    | { readonly kind: 'loading' }
    /** `error`: why it could not be loaded anew. The value is of an earlier time then. */
    | {
        readonly kind: 'loaded'
        readonly value: T
        readonly of: readonly unknown[]
        readonly error?: unknown
      }
    | { readonly kind: 'failed'; readonly error: unknown }
  /**
   * Loads it anew; what was loaded stays until then, with what was typed in it, and also where that fails. While it is
   * being loaded, this happens once that has ended: many changes in a row neither pile up requests nor keep the page
   * from ever showing an answer.
   */
  readonly again: () => void
}

/**
 * Loads something once, and again whenever one of `of` is another. What comes late, for an earlier one, is dropped.
 *
 * @param load  what takes several requests asks no more of them once the signal is aborted
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, of: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Loaded<T>['state']>({ kind: 'loading' })
  const [turn, setTurn] = useState(0)
  const underWay = useRef({ is: false, isWantedAgain: false })
  useEffect(() => {
    const stop = new AbortController()
    const own = { is: true, isWantedAgain: false }
    underWay.current = own
    const settle = (next: (before: Loaded<T>['state']) => Loaded<T>['state']): void => {
      if (stop.signal.aborted) return
      own.is = own.isWantedAgain
      setState(next)
      if (own.isWantedAgain) setTurn((before) => before + 1)
    }
    load(stop.signal).then(
      (value) => settle(() => ({ kind: 'loaded', value, of })),
      (error: unknown) =>
        settle((before) => (isOf(before, of) ? { ...before, error } : { kind: 'failed', error })),
    )
    return () => stop.abort()
  }, [...of, turn])
  const again = (): void => {
    if (underWay.current.is) {
      underWay.current.isWantedAgain = true
      return
    }
    // It begins with the next effect. A caller who asks until then is served by it.
    underWay.current.is = true
    setTurn((before) => before + 1)
  }
  return { state, again }
}

/** Whether there is something already, and of the same. */
function isOf<T>(
  state: Loaded<T>['state'],
  of: readonly unknown[],
): state is Extract<Loaded<T>['state'], { readonly kind: 'loaded' }> {
  return state.kind === 'loaded' && state.of.every((one, at) => one === of[at])
}
