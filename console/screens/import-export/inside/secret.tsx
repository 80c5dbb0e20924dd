import { useEffect, useState } from 'preact/hooks'
import { say } from './words.ts'

const SHOWN_FOR_MS = 30_000

/**
 * A secret that this tab holds. It is shown once somebody asks for it, and hidden again after a while, or as soon as the
 * window is left. It cannot be marked, so it comes to no clipboard by mistake.
 */
export function Secret({ of, onForget }: { readonly of: string; readonly onForget: () => void }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isShown) return undefined
    const hide = (): void => setShown(false)
    const timer = setTimeout(hide, SHOWN_FOR_MS)
    window.addEventListener('blur', hide)
    document.addEventListener('visibilitychange', hide)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('blur', hide)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [isShown])
  return (
    <section class="note warn" aria-label={say('secret')}>
      <p>{say('secretHint')}</p>
      {isShown && <p class="secret">{of}</p>}
      <div class="row">
        <button type="button" onClick={() => setShown(!isShown)}>
          {say(isShown ? 'hide' : 'show')}
        </button>
        <button type="button" onClick={onForget}>
          {say('forget')}
        </button>
      </div>
    </section>
  )
}
