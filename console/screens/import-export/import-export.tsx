import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Screen, ScreenProps } from '../screen.ts'
import { say } from './words.ts'

/** Secrets on their way in and out: encrypted in this page, to and from the vault alone. Loaded once it is opened. */
export const importExport: Screen = { path: 'import-export', title: () => say('title'), View: ImportExport }

function ImportExport(props: ScreenProps) {
  const loaded = useLoaded(async () => (await import('./inside/inside.tsx')).Inside, [])
  return (
    <>
      <h1>{say('title')}</h1>
      <Loading of={loaded}>{(Inside) => <Inside {...props} />}</Loading>
    </>
  )
}
