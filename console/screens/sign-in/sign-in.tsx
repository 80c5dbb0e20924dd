import { useState } from 'preact/hooks'
import { Later } from '../../parts/later.tsx'
import { Name } from '../../parts/name.tsx'
import { Problem } from '../../parts/problem.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useAction } from '../../parts/use-action.ts'
import { importSigningKey, type SigningKey } from '../../service/p256.ts'
import { readKeyFile } from '../../session/key-file.ts'
import { forgetOrganizations, lastUsed, rememberOrganization } from '../../session/last-used.ts'
import type { Session } from '../../session/session.ts'
import { signInByKey, signInByPasskey } from '../../session/sign-in.ts'
import type { Enter } from './enter.ts'
import { KeyForm } from './key-form.tsx'
import { usePastedKey } from './use-pasted-key.ts'
import { say } from './words.ts'

type SignInProps = {
  readonly onSession: (session: Session) => void
  /** The organization of which a link asks for an API key; undefined where none does. */
  readonly keyOf?: string | undefined
}

/** The way in. Nothing here tells a stranger what exists: the service is asked with a proof, or not at all. */
export function SignIn({ onSession, keyOf }: SignInProps) {
  const [known, setKnown] = useState(lastUsed())
  const [organization, setOrganization] = useState(keyOf ?? known[0]?.organizationId ?? '')
  const [trouble, setTrouble] = useState<'noOrganization' | 'noKey' | 'notAPair' | 'keyHeld' | undefined>()
  // Nobody can read it, so it may wait for the organization.
  const [held, setHeld] = useState<SigningKey | undefined>(undefined)
  const action = useAction()
  const enter: Enter = (signIn, organizationId, empty = 'missing') => {
    const isMissing = organizationId === '' && empty === 'missing'
    setTrouble(isMissing ? 'noOrganization' : undefined)
    if (isMissing) return
    action.run(async () => {
      const session = await signIn(organizationId)
      rememberOrganization({ organizationId: session.organizationId, name: session.organizationName })
      onSession(session)
    })
  }
  const enterByKey = (key: SigningKey, organizationId: string): void => {
    setHeld(organizationId === '' ? key : undefined)
    if (organizationId === '') setTrouble('keyHeld')
    else enter((where) => signInByKey(key, where), organizationId)
  }
  const take = (text: string): boolean => {
    const file = readKeyFile(text)
    if (file === undefined) {
      if (text === '' && held !== undefined) enterByKey(held, organization)
      else setTrouble('noKey')
      return false
    }
    importSigningKey(file.privateKey, file.publicKey).then((key) => {
      if (key === undefined) setTrouble('notAPair')
      else enterByKey(key, file.organizationId === '' ? organization : file.organizationId)
    }, reportError)
    return true
  }
  usePastedKey(take)
  const keyForm = <KeyForm isWanted={keyOf !== undefined} isBusy={action.isBusy} onKey={take} />
  const identity = (
    <>
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
              <Name of={name} id={organizationId} />
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
    </>
  )
  const byCode = (
    <Later title={say('byCode')} load={async () => (await import('./later/code-form.tsx')).CodeForm}>
      {(CodeForm) => <CodeForm organization={organization} isBusy={action.isBusy} enter={enter} />}
    </Later>
  )
  return (
    <>
      <h1>{say('title')}</h1>
      {action.error !== undefined && trouble === undefined && <Problem error={action.error} />}
      {trouble !== undefined && (
        <p class={`note ${trouble === 'keyHeld' ? 'warn' : 'bad'}`} role="alert">
          {say(trouble)}
        </p>
      )}
      {keyOf === undefined ? (
        <>
          {identity}
          {keyForm}
          {byCode}
        </>
      ) : (
        <>
          {keyForm}
          <details>
            <summary>{say('others')}</summary>
            {identity}
            {byCode}
          </details>
        </>
      )}
    </>
  )
}
