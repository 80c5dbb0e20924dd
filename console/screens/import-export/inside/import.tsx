import { useState } from 'preact/hooks'
import { Choice } from '../../../parts/choice.tsx'
import { derivations } from '../../../parts/derivations.ts'
import { Form } from '../../../parts/form.tsx'
import { KindChoice } from '../../../parts/kind-choice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { LongTextField, TextField } from '../../../parts/text-field.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import type { Session } from '../../../session/session.ts'
import { imported } from './imported.ts'
import { keyFormats } from './key-formats.ts'
import { say } from './words.ts'

type ImportProps = { readonly session: Session; readonly signerKey: string }

/** A recovery phrase or a key that somebody types. It leaves this page encrypted to the vault, and in no other way. */
export function Import({ session, signerKey }: ImportProps) {
  const submitting = useSubmit()
  const [kind, setKind] = useState<'wallet' | 'privateKey'>('wallet')
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const [isSeen, setSeen] = useState(false)
  const [keyFormat, setFormat] = useState<(typeof keyFormats)[number][0]>('HEXADECIMAL')
  const [addressFormat, setAddressFormat] = useState<string>(derivations[0].addressFormat)
  const forget = (): void => {
    setText('')
    setPassphrase('')
    setSeen(false)
  }
  const submit = (): void => {
    const typed = kind === 'wallet' ? { kind, text, passphrase } : { kind, text, keyFormat }
    submitting.run(() => imported(session, { signerKey, name, addressFormat, typed }), forget)
  }
  const seen = isSeen ? '' : 'masked'
  return (
    <>
      <h2>{say('import')}</h2>
      <Outcome of={submitting} />
      <Form onSubmit={submit}>
        <Choice
          label={say('kind')}
          value={kind}
          options={[
            ['wallet', say('wallet')],
            ['privateKey', say('privateKey')],
          ]}
          onChoice={setKind}
        />
        <TextField label={say('name')} required value={name} onText={setName} />
        <LongTextField
          label={say(kind === 'wallet' ? 'sentence' : 'key')}
          hint={say('typedHint')}
          class={seen}
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={text}
          onText={setText}
        />
        <label class="tick">
          <input
            type="checkbox"
            checked={isSeen}
            onChange={(event) => setSeen(event.currentTarget.checked)}
          />{' '}
          {say('seeTyped')}
        </label>
        {kind === 'wallet' ? (
          <TextField
            label={say('passphrase')}
            class={seen}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={passphrase}
            onText={setPassphrase}
          />
        ) : (
          <Choice label={say('format')} value={keyFormat} options={keyFormats} onChoice={setFormat} />
        )}
        <KindChoice label={say('account')} value={addressFormat} onChoice={setAddressFormat} />
        <button type="submit" class="primary" disabled={submitting.isBusy}>
          {say('doImport')}
        </button>
      </Form>
    </>
  )
}
