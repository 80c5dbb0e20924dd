import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { hasLastingWay, type Members } from '../../parts/ways-in.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { PublicKeyField } from './public-key-field.tsx'
import { say as title } from '../words.ts'
import { say } from './words.ts'

type Listing = { readonly session: Session; readonly members: Members; readonly again: () => void }

/** Every user in a line, and who is of the root quorum. */
export function UserList({ session, members, again }: Listing) {
  const { users, quorum } = members
  return (
    <>
      <h1>{title('users')}</h1>
      <p>
        <strong>{say('quorum', { threshold: quorum.threshold, count: quorum.userIds.length })}</strong>
        <br />
        <span class="faint">{say('quorumHint')}</span>{' '}
        <a href={pathTo('users', 'quorum')}>{say('changeQuorum')}</a>
        {' · '}
        <a href={pathTo('users', 'invitations')}>{say('invitations')}</a>
      </p>
      <Cards of={users} none={say('none')}>
        {(user) => <Line key={user.text('userId')} user={user} members={members} self={session.userId} />}
      </Cards>
      <NewUser session={session} onMade={again} />
    </>
  )
}

function Line({
  user,
  members,
  self,
}: {
  readonly user: Answered
  readonly members: Members
  readonly self: string
}) {
  const { quorum, tagNames } = members
  const userId = user.text('userId')
  return (
    <li>
      <span>
        <a href={pathTo('users', userId)}>
          <Name of={user.text('userName')} id={userId} />
        </a>{' '}
        {userId === self && <span class="badge">{say('you')}</span>}{' '}
        {user.texts('userTags').map((tagId) => (
          <span key={tagId} class="badge">
            <Name of={tagNames.get(tagId) ?? tagId} id={tagId} />
          </span>
        ))}
      </span>
      <span>
        {quorum.userIds.includes(userId) && <span class="badge good">{say('root')}</span>}{' '}
        {!hasLastingWay(members, user) && <span class="badge warn">{say('noWay')}</span>}
      </span>
      {user.textOrNone('userEmail') !== '' && (
        <span class="faint">
          <Name of={user.text('userEmail')} />
        </span>
      )}
    </li>
  )
}

function NewUser({ session, onMade }: { readonly session: Session; readonly onMade: () => void }) {
  const submitting = useSubmit()
  const [userName, setUserName] = useState('')
  const [userEmail, setUserEmail] = useState('')
  const [publicKey, setPublicKey] = useState('')
  const submit = (): void => {
    const apiKey = { apiKeyName: userName, publicKey, curveType: 'API_KEY_CURVE_P256' }
    const user = {
      userName,
      ...(userEmail === '' ? {} : { userEmail }),
      apiKeys: [apiKey],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    }
    submitting.run(
      () => session.submit('ACTIVITY_TYPE_CREATE_USERS_V4', { users: [user] }),
      () => {
        for (const empty of [setUserName, setUserEmail, setPublicKey]) empty('')
        onMade()
      },
    )
  }
  return (
    <FoldedForm title={say('add')} onSubmit={submit}>
      <Outcome of={submitting} />
      <TextField label={say('name')} required value={userName} onText={setUserName} />
      <TextField label={say('email')} type="email" value={userEmail} onText={setUserEmail} />
      <PublicKeyField hint={say('keyOfUserHint')} value={publicKey} onText={setPublicKey} />
      <button type="submit" class="primary" disabled={submitting.isBusy}>
        {say('create')}
      </button>
    </FoldedForm>
  )
}
