import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { type Submitting, useSubmit } from '../../parts/use-submit.ts'
import { type Answered, StrangeAnswer } from '../../service/answered.ts'
import { discoveredKey } from '../../service/discovered-key.ts'
import { sealQuorumEnvelope } from '../../service/quorum-envelope.ts'
import type { Session } from '../../session/session.ts'
import { say } from './words.ts'

const PROVIDERS = [
  ['OAUTH2_PROVIDER_X', 'X'],
  ['OAUTH2_PROVIDER_DISCORD', 'Discord'],
] as const

/** The applications of the organization at providers of OAuth 2.0. A secret leaves this page encrypted to the service. */
export function Oauth2({ session }: { readonly session: Session }) {
  const submitting = useSubmit()
  const loaded = useLoaded(
    async () => (await session.query('list_oauth2_credentials')).list('oauth2Credentials'),
    [session],
  )
  return (
    <section>
      <h2>{say('oauth2')}</h2>
      <Outcome of={submitting} />
      <Loading of={loaded}>
        {(all) => (
          <Cards of={all} none={say('noOauth2')}>
            {(one) => (
              <Line
                key={one.text('oauth2CredentialId')}
                one={one}
                isBusy={submitting.isBusy}
                onRemove={(oauth2CredentialId) =>
                  submitting.run(
                    () => session.submit('ACTIVITY_TYPE_DELETE_OAUTH2_CREDENTIAL', { oauth2CredentialId }),
                    loaded.again,
                  )
                }
              />
            )}
          </Cards>
        )}
      </Loading>
      <NewOauth2 session={session} submitting={submitting} onMade={loaded.again} />
    </section>
  )
}

function Line({
  one,
  isBusy,
  onRemove,
}: {
  readonly one: Answered
  readonly isBusy: boolean
  readonly onRemove: (id: string) => void
}) {
  const id = one.text('oauth2CredentialId')
  const provider = one.text('provider')
  return (
    <li>
      <span>
        {PROVIDERS.find(([name]) => name === provider)?.[1] ?? <Name of={provider} />}{' '}
        <Id of={one.text('clientId')} />
      </span>
      <Confirmed label={say('remove')} isBusy={isBusy} onConfirmed={() => onRemove(id)}>
        <p>{say('removeOauth2')}</p>
      </Confirmed>
    </li>
  )
}

type Adding = {
  readonly session: Session
  readonly submitting: Submitting
  readonly onMade: () => void
}

function NewOauth2({ session, submitting, onMade }: Adding) {
  const [provider, setProvider] = useState<(typeof PROVIDERS)[number][0]>(PROVIDERS[0][0])
  const [clientId, setClientId] = useState('')
  const [secret, setSecret] = useState('')
  const submit = (): void =>
    submitting.run(
      async () => {
        const encryptedClientSecret = await sealQuorumEnvelope(secret, await discoveredKey('oauth2'))
        if (encryptedClientSecret === undefined) throw new StrangeAnswer('oauth2')
        const parameters = { provider, clientId, encryptedClientSecret }
        return await session.submit('ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', parameters)
      },
      () => {
        setClientId('')
        setSecret('')
        onMade()
      },
    )
  return (
    <FoldedForm title={say('addOauth2')} onSubmit={submit}>
      <Choice label={say('provider')} value={provider} options={PROVIDERS} onChoice={setProvider} />
      <TextField label={say('clientId')} required value={clientId} onText={setClientId} />
      <TextField
        label={say('secret')}
        hint={say('secretHint')}
        required
        type="password"
        autocomplete="off"
        value={secret}
        onText={setSecret}
      />
      <button type="submit" class="primary" disabled={submitting.isBusy}>
        {say('create')}
      </button>
    </FoldedForm>
  )
}
