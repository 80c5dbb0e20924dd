import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { LongTextField, TextField } from '../../parts/text-field.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { type Submitting, useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

/** Scopes to which logins can limit their sessions. */
export function SessionProfiles({ session }: { readonly session: Session }) {
  const submitting = useSubmit()
  const loaded = useLoaded(
    async () => (await session.query('get_session_profiles')).list('sessionProfiles'),
    [session],
  )
  return (
    <section>
      <h2>{say('profiles')}</h2>
      <p>{say('profilesWhy')}</p>
      <Outcome of={submitting} />
      <Loading of={loaded}>
        {(profiles) => (
          <>
            <Cards of={profiles} none={say('noProfiles')}>
              {(profile) => <Line key={profile.text('sessionProfileId')} profile={profile} />}
            </Cards>
            <NewProfile
              key={profiles.length}
              submitting={submitting}
              onWritten={(parameters) =>
                submitting.run(
                  () => session.submit('ACTIVITY_TYPE_CREATE_SESSION_PROFILE', parameters),
                  loaded.again,
                )
              }
            />
          </>
        )}
      </Loading>
    </section>
  )
}

function Line({ profile }: { readonly profile: Answered }) {
  const lasts = profile.has('expirationSeconds')
    ? say('lasts', { seconds: profile.number('expirationSeconds') })
    : say('lastsAny')
  return (
    <li>
      <Name of={profile.text('sessionProfileName')} />
      <span class="badge">{lasts}</span>
      <code class="whole">{plainText(profile.text('scope'))}</code>
      <span class="faint">
        <Id of={profile.text('sessionProfileId')} />{' '}
        {profile.textOrNone('notes') !== '' && <Name of={profile.text('notes')} />}
      </span>
    </li>
  )
}

type Writing = { readonly submitting: Submitting; readonly onWritten: (parameters: object) => void }

function NewProfile({ submitting, onWritten }: Writing) {
  const [sessionProfileName, setName] = useState('')
  const [scope, setScope] = useState('')
  const [expirationSeconds, setSeconds] = useState('')
  const [notes, setNotes] = useState('')
  const submit = (): void =>
    onWritten({
      sessionProfileName,
      scope,
      ...(expirationSeconds === '' ? {} : { expirationSeconds }),
      ...(notes === '' ? {} : { notes }),
    })
  const isWritten = sessionProfileName !== '' && scope !== ''
  return (
    <FoldedForm title={say('addProfile')} onSubmit={() => {}}>
      <TextField label={say('profileName')} required value={sessionProfileName} onText={setName} />
      <LongTextField
        label={say('scope')}
        hint={say('scopeHint')}
        required
        rows={2}
        spellcheck={false}
        value={scope}
        onText={setScope}
      />
      <TextField
        label={say('seconds')}
        hint={say('secondsHint')}
        type="number"
        min={1}
        value={expirationSeconds}
        onText={setSeconds}
      />
      <TextField label={say('profileNotes')} value={notes} onText={setNotes} />
      <Confirmed label={say('create')} isBusy={submitting.isBusy || !isWritten} onConfirmed={submit}>
        <p>{say('profileForGood')}</p>
      </Confirmed>
    </FoldedForm>
  )
}
