import { useEffect, useState } from 'preact/hooks'

const PAUSE_MS = 250

/**
 * The value as it was when it last stood for a pause. A search waits for it: not every letter is worth a request.
 *
 * @param value  what stands in the field, with every letter
 */
export function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    if (value === paused) return
    const timer = setTimeout(() => setPaused(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value, paused])
  return paused
}
