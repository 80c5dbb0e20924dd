import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Confirmed } from '../../../parts/confirmed.tsx'
import { Form } from '../../../parts/form.tsx'
import { Id } from '../../../parts/id.tsx'
import { Loading } from '../../../parts/loading.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { useLoaded } from '../../../parts/use-loaded.ts'
import { confirmSigner, knownSigner, namedSigner } from '../../../session/known-signer.ts'
import { say } from './words.ts'

/**
 * Shows what needs the key that signs bundles, once a person has confirmed in this browser that it is the service's: a host
 * that names a key of its own could read what is imported.
 */
export function ConfirmedSigner({
  children,
}: {
  readonly children: (signerKey: string) => ComponentChildren
}) {
  const named = useLoaded(namedSigner, [])
  const [known, setKnown] = useState(knownSigner)
  return (
    <Loading of={named}>
      {(key) =>
        key === known ? (
          <>
            {children(key)}
            <h2>{say('signer')}</h2>
            <p class="hint">{say('signerKnown')}</p>
            <Id of={key} />
          </>
        ) : (
          <Compared
            named={key}
            isOther={known !== undefined}
            onSame={() => {
              confirmSigner(key)
              setKnown(key)
            }}
          />
        )
      }
    </Loading>
  )
}

type Comparing = {
  readonly named: string
  /** Whether this browser knows another one: then the word of the host is not enough. */
  readonly isOther: boolean
  readonly onSame: () => void
}

function Compared({ named, isOther, onSame }: Comparing) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const compare = (): void => {
    const isSame = typed.trim().replace(/^SIGNER_PUBLIC_KEY=/, '') === named
    setWrong(!isSame)
    if (isSame) onSame()
  }
  return (
    <>
      <h2>{say('signer')}</h2>
      <p class={`note ${isOther ? 'bad' : 'warn'}`}>{say(isOther ? 'signerOther' : 'signerNew')}</p>
      <Id of={named} />
      <Form onSubmit={compare}>
        <TextField
          label={say('signerTyped')}
          hint={say('signerHint')}
          required
          autocomplete="off"
          value={typed}
          onText={setTyped}
        />
        {isWrong && (
          <p class="note bad" role="alert">
            {say('signerWrong')}
          </p>
        )}
        <button type="submit" class="primary">
          {say('compare')}
        </button>
      </Form>
      {!isOther && (
        <Confirmed label={say('believe')} isBusy={false} onConfirmed={onSame}>
          <p>{say('believeWarning')}</p>
        </Confirmed>
      )}
    </>
  )
}
