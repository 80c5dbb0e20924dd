import type { ScreenProps } from '../../screen.ts'
import { ConfirmedSigner } from './confirmed-signer.tsx'
import { Export } from './export.tsx'
import { Import } from './import.tsx'
import { say } from './words.ts'

export function Inside({ session }: ScreenProps) {
  return (
    <>
      <p>{say('about')}</p>
      <ConfirmedSigner>
        {(signerKey) => (
          <>
            <Export session={session} signerKey={signerKey} />
            <Import session={session} signerKey={signerKey} />
          </>
        )}
      </ConfirmedSigner>
    </>
  )
}
