import { useState } from 'preact/hooks'
import { Facts } from '../../parts/facts.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { Name } from '../../parts/name.tsx'
import { LongTextField, TextField } from '../../parts/text-field.tsx'
import { claimsOf } from './identity-token.ts'
import { say } from './words.ts'

type Adding = { readonly isBusy: boolean; readonly change: (type: string, parameters: object) => void }

/** An account elsewhere, by a token of it that somebody pastes: this page may talk to no provider. */
export function NewProvider({ isBusy, change }: Adding) {
  const [providerName, setName] = useState('')
  const [oidcToken, setToken] = useState('')
  const claims = claimsOf(oidcToken)
  const submit = (): void =>
    change('ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2', { oauthProviders: [{ providerName, oidcToken }] })
  return (
    <FoldedForm title={say('addProvider')} onSubmit={submit}>
      <TextField label={say('providerName')} required value={providerName} onText={setName} />
      <LongTextField
        label={say('token')}
        hint={say('tokenHint')}
        class="id"
        required
        rows={3}
        autocomplete="off"
        spellcheck={false}
        value={oidcToken}
        onText={(text) => setToken(text.trim())}
      />
      {claims !== undefined ? (
        <>
          <Facts
            of={[
              [say('issuer'), <Name key="issuer" of={claims.issuer} />],
              [say('subject'), <Name key="subject" of={claims.subject} />],
              [say('audience'), <Name key="audience" of={claims.audience} />],
              [say('email'), claims.email !== '' && <Name key="email" of={claims.email} />],
            ]}
          />
          <p class="note warn">{say('accountIsWay')}</p>
        </>
      ) : (
        oidcToken !== '' && (
          <p class="note bad" role="alert">
            {say('noToken')}
          </p>
        )
      )}
      <button type="submit" disabled={isBusy || claims === undefined}>
        {say('createProvider')}
      </button>
    </FoldedForm>
  )
}
