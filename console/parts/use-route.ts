import { useEffect, useState } from 'preact/hooks'

/** Where the page is: the parts of what follows `#/`, such as `activities` and an id. */
export function useRoute(): readonly string[] {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = (): void => setHash(location.hash)
    // The page may have gone elsewhere since this was first shown.
    changed()
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Somebody typed it so.
    return part
  }
}
