import type { ScreenProps } from '../screen.ts'
import { say as title } from '../words.ts'
import { Inside } from './inside/inside.tsx'

/** Secrets on their way in and out: encrypted in this page, to and from the vault alone. */
export function ImportExport(props: ScreenProps) {
  return (
    <>
      <h1>{title('import-export')}</h1>
      <Inside {...props} />
    </>
  )
}
