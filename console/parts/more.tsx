import { say } from './words.ts'

/** Shows what comes after what is shown, where there is something. */
export function More({ isThere, onMore }: { readonly isThere: boolean; readonly onMore: () => void }) {
  if (!isThere) return null
  return (
    <button type="button" onClick={onMore}>
      {say('more')}
    </button>
  )
}
