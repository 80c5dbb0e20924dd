import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { LongTextField } from '../../parts/text-field.tsx'
import { importSigningKey } from '../../service/p256.ts'
import { readKeyFile } from '../../session/key-file.ts'
import type { Session } from '../../session/session.ts'
import { signInByKey } from '../../session/sign-in.ts'
import { say } from './words.ts'

/** @param empty  whether an organization that is not given can be found by the way in */
export type Enter = (
  signIn: (organizationId: string) => Promise<Session>,
  organizationId: string,
  empty?: 'missing' | 'found',
) => void

export type Entering = {
  /** As it was written above; a file with the key may name another one. */
  readonly organization: string
  readonly isBusy: boolean
  readonly enter: Enter
}

/** Takes an API key from a file or as text, and lets go of it once it has stamped. */
export function KeyForm({ organization, isBusy, enter }: Entering) {
  const [text, setText] = useState('')
  const [trouble, setTrouble] = useState<'noKey' | 'notAPair' | undefined>(undefined)
  const submit = async (): Promise<void> => {
    const file = readKeyFile(text)
    const key = file === undefined ? undefined : await importSigningKey(file.privateKey, file.publicKey)
    if (file === undefined || key === undefined) return setTrouble(file === undefined ? 'noKey' : 'notAPair')
    setTrouble(undefined)
    setText('')
    enter((where) => signInByKey(key, where), file.organizationId === '' ? organization : file.organizationId)
  }
  return (
    <FoldedForm title={say('byKey')} onSubmit={() => submit().catch(reportError)}>
      {trouble !== undefined && (
        <p class="note bad" role="alert">
          {say(trouble)}
        </p>
      )}
      <Field label={say('keyFile')}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            onChange={(event) => {
              event.currentTarget.files?.[0]?.text().then(setText, reportError)
            }}
          />
        )}
      </Field>
      <LongTextField
        label={say('keyText')}
        hint={say('keyHint')}
        value={text}
        onText={setText}
        autocomplete="off"
        spellcheck={false}
      />
      <button type="submit" disabled={isBusy}>
        {say('keySubmit')}
      </button>
    </FoldedForm>
  )
}
