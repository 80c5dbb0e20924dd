import { useEffect, useState } from 'preact/hooks'

export type Loaded<T> = {
  readonly state:
    | { readonly kind: 'loading' }
    | { readonly kind: 'loaded'; readonly value: T }
    | { readonly kind: 'failed'; readonly error: unknown }
  /** Loads it anew; what was loaded stays until then. */
  readonly again: () => void
}

/** Loads something once, and again whenever one of `of` is another. What comes late, for an earlier one, is dropped. */
export function useLoaded<T>(load: () => Promise<T>, of: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Loaded<T>['state']>({ kind: 'loading' })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let isLate = false
    const settle = (next: Loaded<T>['state']): void => {
      if (!isLate) setState(next)
    }
    load().then(
      (value) => settle({ kind: 'loaded', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    )
    return () => {
      isLate = true
    }
  }, [...of, turn])
  return { state, again: () => setTurn((before) => before + 1) }
}
