import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { Problem } from '../../parts/problem.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useAction } from '../../parts/use-action.ts'
import { newPasskey } from '../../session/new-passkey.ts'
import { say } from './words.ts'

type Passkey = Awaited<ReturnType<typeof newPasskey>>

/** A root user of an organization that is still to be made, with one way in. */
export type RootUser = {
  readonly name: string
  readonly way: 'key' | 'passkey' | 'email'
  readonly publicKey: string
  readonly email: string
  /** Undefined until it was made. */
  readonly passkey: Passkey | undefined
}

export const nobody: RootUser = { name: '', way: 'key', publicKey: '', email: '', passkey: undefined }

/** As `create_sub_organization` takes a root user; undefined while the passkey is not made. */
export function parametersOf({ name, way, publicKey, email, passkey }: RootUser): object | undefined {
  const user = { userName: name, apiKeys: [], authenticators: [], oauthProviders: [] }
  if (way === 'key')
    return { ...user, apiKeys: [{ apiKeyName: name, publicKey, curveType: 'API_KEY_CURVE_P256' }] }
  if (way === 'email') return { ...user, userEmail: email }
  return passkey && { ...user, authenticators: [{ authenticatorName: name, ...passkey }] }
}

type Editing = {
  readonly number: number
  readonly of: RootUser
  /** That passkeys are shown with. */
  readonly organizationName: string
  readonly onChange: (user: RootUser) => void
}

/** The fields of a root user. */
export function RootUserFields({ number, of, organizationName, onChange }: Editing) {
  const { name, way, publicKey, email } = of
  return (
    <fieldset>
      <legend>{say('rootUser', { number })}</legend>
      <TextField
        label={say('userName')}
        required
        value={name}
        onText={(text) => onChange({ ...of, name: text, passkey: undefined })}
      />
      <Choice
        label={say('way')}
        value={way}
        options={[
          ['key', say('byKey')],
          ['passkey', say('byPasskey')],
          ['email', say('byEmail')],
        ]}
        onChoice={(chosen) => onChange({ ...of, way: chosen })}
      />
      {way === 'key' && (
        <TextField
          label={say('publicKey')}
          hint={say('publicKeyHint')}
          class="id"
          required
          pattern="0[23][0-9a-fA-F]{64}"
          value={publicKey}
          onText={(text) => onChange({ ...of, publicKey: text.trim() })}
        />
      )}
      {way === 'email' && (
        <TextField
          label={say('emailOfUser')}
          hint={say('emailHint')}
          type="email"
          required
          value={email}
          onText={(text) => onChange({ ...of, email: text.trim() })}
        />
      )}
      {way === 'passkey' && <PasskeyOfUser of={of} organizationName={organizationName} onChange={onChange} />}
    </fieldset>
  )
}

/** Its handle names no organization: that has no id yet. */
function PasskeyOfUser({ of, organizationName, onChange }: Omit<Editing, 'number'>) {
  const { isBusy, error, run } = useAction()
  const [handle] = useState(() => crypto.getRandomValues(new Uint8Array(HANDLE_BYTES)))
  const make = (): void =>
    run(async () =>
      onChange({ ...of, passkey: await newPasskey({ handle, userName: of.name, organizationName }) }),
    )
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      <p class="hint">{say('passkeyHint')}</p>
      {of.passkey === undefined ? (
        <p>
          <button type="button" disabled={isBusy || of.name === '' || organizationName === ''} onClick={make}>
            {say('makePasskey')}
          </button>
        </p>
      ) : (
        <p role="status">{say('passkeyMade')}</p>
      )}
    </>
  )
}

const HANDLE_BYTES = 16
