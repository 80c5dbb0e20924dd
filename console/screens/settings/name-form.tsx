import { useState } from 'preact/hooks'
import { Form } from '../../parts/form.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { say } from './words.ts'

export function NameForm({ session }: { readonly session: Session }) {
  const submitting = useSubmit()
  const [organizationName, setName] = useState(session.organizationName)
  return (
    <Form
      onSubmit={() =>
        submitting.run(() => session.submit('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName }))
      }
    >
      <TextField
        label={say('name')}
        hint={session.organizationId}
        required
        value={organizationName}
        onText={setName}
      />
      <p>
        <button type="submit" disabled={submitting.isBusy}>
          {say('rename')}
        </button>
      </p>
      <Outcome of={submitting} />
    </Form>
  )
}
