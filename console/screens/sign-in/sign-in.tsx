import { useState } from 'preact/hooks'
import { Name } from '../../parts/name.tsx'
import { Problem } from '../../parts/problem.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useAction } from '../../parts/use-action.ts'
import { forgetOrganizations, lastUsed, rememberOrganization } from '../../session/last-used.ts'
import type { Session } from '../../session/session.ts'
import { signInByPasskey } from '../../session/sign-in.ts'
import { CodeForm } from './code-form.tsx'
import { type Enter, KeyForm } from './key-form.tsx'
import { say } from './words.ts'

/** The way in. Nothing here tells a stranger what exists: the service is asked with a proof, or not at all. */
export function SignIn({ onSession }: { readonly onSession: (session: Session) => void }) {
  const [known, setKnown] = useState(lastUsed())
  const [organization, setOrganization] = useState(known[0]?.organizationId ?? '')
  const [isAsked, setAsked] = useState(false)
  const action = useAction()
  const enter: Enter = (signIn, organizationId, empty = 'missing') => {
    const isMissing = organizationId === '' && empty === 'missing'
    setAsked(isMissing)
    if (isMissing) return
    action.run(async () => {
      const session = await signIn(organizationId)
      rememberOrganization({ organizationId: session.organizationId, name: session.organizationName })
      onSession(session)
    })
  }
  return (
    <>
      <h1>{say('title')}</h1>
      {action.error !== undefined && <Problem error={action.error} />}
      {isAsked && (
        <p class="note bad" role="alert">
          {say('noOrganization')}
        </p>
      )}
      <TextField
        label={say('organization')}
        hint={say('organizationHint')}
        value={organization}
        onText={(text) => setOrganization(text.trim())}
        autocomplete="off"
        spellcheck={false}
      />
      {known.length > 0 && (
        <fieldset>
          <legend>{say('lastUsed')}</legend>
          {known.map(({ organizationId, name }) => (
            <label key={organizationId}>
              <input
                type="radio"
                name="known"
                checked={organizationId === organization}
                onChange={() => setOrganization(organizationId)}
              />{' '}
              <Name of={name} />
            </label>
          ))}
          <button
            type="button"
            onClick={() => {
              forgetOrganizations()
              setKnown([])
            }}
          >
            {say('forget')}
          </button>
        </fieldset>
      )}
      <div class="field">
        <button
          type="button"
          class="primary"
          disabled={action.isBusy}
          onClick={() => enter(signInByPasskey, organization, 'found')}
        >
          {say('passkey')}
        </button>
        <p class="hint">{say('passkeyHint')}</p>
      </div>
      <KeyForm organization={organization} isBusy={action.isBusy} enter={enter} />
      <CodeForm organization={organization} isBusy={action.isBusy} enter={enter} />
    </>
  )
}
