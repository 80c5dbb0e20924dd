import { useState } from 'preact/hooks'
import { Form } from '../../parts/form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import type { Submitting } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import { fromBase64url } from '../../service/bytes.ts'
import { newPasskey } from '../../session/new-passkey.ts'
import type { Session } from '../../session/session.ts'
import { userHandle } from '../../session/user-handle.ts'
import { say } from './words.ts'

type Adding = {
  readonly session: Session
  readonly user: Answered
  readonly submitting: Submitting
  readonly again: () => void
}

/** For the own user alone: a passkey is of the device that somebody sits at. */
export function NewPasskey({ session, user, submitting, again }: Adding) {
  const [name, setName] = useState('')
  const submit = (): void =>
    submitting.run(async () => {
      const known = user.list('authenticators').map((one) => fromBase64url(one.text('credentialId')))
      const handle = userHandle(session.organizationId, session.userId)
      const { challenge, attestation } = await newPasskey(
        { ...session, handle },
        known.filter((id) => id !== undefined),
      )
      const authenticator = { authenticatorName: name, challenge, attestation }
      const { userId } = session
      return await session.submit('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
        userId,
        authenticators: [authenticator],
      })
    }, again)
  return (
    <Form class="row" onSubmit={submit}>
      <TextField label={say('passkeyName')} required value={name} onText={setName} />
      <button type="submit" disabled={submitting.isBusy}>
        {say('addPasskey')}
      </button>
    </Form>
  )
}
