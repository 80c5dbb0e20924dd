import { useEffect } from 'preact/hooks'
import { holdsSecret, readKeyFile } from '../../session/key-file.ts'

/**
 * Takes a private key that is pasted anywhere on the page, or that comes into a field for something else: it never
 * stays there. In the field for keys, the rest of one may follow.
 */
export function usePastedKey(onKey: (text: string) => void): void {
  useEffect(() => {
    const pasted = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text') ?? ''
      const isPart = event.target instanceof HTMLTextAreaElement && readKeyFile(text) === undefined
      if (isPart || !holdsSecret(text)) return
      event.preventDefault()
      onKey(text)
    }
    // Before the field itself sees it: dropped, typed, or filled in by a program.
    const written = ({ target }: Event): void => {
      if (!(target instanceof HTMLInputElement) || !holdsSecret(target.value)) return
      const text = target.value
      target.value = ''
      onKey(text)
    }
    document.addEventListener('paste', pasted, true)
    document.addEventListener('input', written, true)
    return () => {
      document.removeEventListener('paste', pasted, true)
      document.removeEventListener('input', written, true)
    }
  })
}
