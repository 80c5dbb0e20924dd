import { Loading } from '../../../parts/loading.tsx'
import { useLoaded } from '../../../parts/use-loaded.ts'
import type { ScreenProps } from '../../screen.ts'
import { ConfirmedSigner } from './confirmed-signer.tsx'
import { Export } from './export.tsx'
import { Import } from './import.tsx'
import { say } from './words.ts'

export function Inside({ session }: ScreenProps) {
  // Before anything is typed: a page that was left open may miss the file.
  const bundles = useLoaded(() => import('../../../readers/bundles.ts'), [])
  return (
    <>
      <p>{say('about')}</p>
      <Loading of={bundles}>
        {() => (
          <ConfirmedSigner>
            {(signerKey) => (
              <>
                <Export session={session} signerKey={signerKey} />
                <Import session={session} signerKey={signerKey} />
              </>
            )}
          </ConfirmedSigner>
        )}
      </Loading>
    </>
  )
}
