import { useState } from 'preact/hooks'
import { FoldedForm } from '../../parts/form.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { say } from './words.ts'

/** Activities are the one event of this version; no later change of an endpoint can subscribe it to another. */
const SUBSCRIPTIONS = [{ eventType: 'ACTIVITY_UPDATES' }]

export function NewEndpoint({ session, onMade }: { readonly session: Session; readonly onMade: () => void }) {
  const submitting = useSubmit()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const submit = (): void =>
    submitting.run(
      () =>
        session.submit('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', { url, name, subscriptions: SUBSCRIPTIONS }),
      () => {
        setName('')
        setUrl('')
        onMade()
      },
    )
  return (
    <FoldedForm title={say('add')} onSubmit={submit}>
      <Outcome of={submitting} />
      <TextField label={say('name')} required value={name} onText={setName} />
      <TextField label={say('url')} hint={say('urlHint')} type="url" required value={url} onText={setUrl} />
      <p>{say('hears')}</p>
      <p>
        <button type="submit" class="primary" disabled={submitting.isBusy}>
          {say('create')}
        </button>
      </p>
    </FoldedForm>
  )
}
