import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/**
 * Keeps the focus of the keyboard where it was in this element. It would be lost with a button that is disabled while
 * something runs, or that vanishes with what it was for: then it goes back to the button, or to what was around it.
 */
export function useKeptFocus(within: RefObject<HTMLElement>): void {
  useEffect(() => {
    const root = within.current
    if (root === null) return
    let path: readonly HTMLElement[] = []
    const focused = ({ target }: FocusEvent): void => {
      path = target instanceof HTMLElement && root.contains(target) ? pathTo(target, root) : []
    }
    // A pointer may leave a field for nothing.
    const pressed = (): void => {
      path = []
    }
    const restored = (): void => {
      const [last] = path
      if (last === undefined || document.activeElement !== document.body) return
      // It is enabled again in a moment.
      if (last.isConnected && last.matches(':disabled')) return
      const nearest = path.find(({ isConnected }) => isConnected)
      if (nearest !== undefined && nearest !== last) nearest.tabIndex = -1
      nearest?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(restored)
    observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', focused)
    document.addEventListener('pointerdown', pressed)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', focused)
      document.removeEventListener('pointerdown', pressed)
    }
  }, [within])
}

/** The element, and all around it. */
function pathTo(target: HTMLElement, root: HTMLElement): readonly HTMLElement[] {
  const parent = target.parentElement
  return target === root || parent === null ? [target] : [target, ...pathTo(parent, root)]
}
