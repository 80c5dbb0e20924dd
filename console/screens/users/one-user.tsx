import { BackTo } from '../../parts/back-to.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { EditUser } from './edit-user.tsx'
import { LastUse, type LastUses, lastUses } from './last-use.tsx'
import { breaksQuorum, type Members } from '../../parts/ways-in.ts'
import { WaysInOfUser } from './ways-in-of-user.tsx'
import { say } from './words.ts'

type Showing = {
  readonly session: Session
  readonly members: Members
  readonly userId: string
  readonly again: () => void
}

/** A user with every way in, and what may be taken away or added. */
export function OneUser({ session, members, userId, again }: Showing) {
  const submitting = useSubmit()
  const uses = useLoaded(() => lastUses(session, userId), [session, userId])
  const days: LastUses = uses.state.kind === 'loaded' ? uses.state.value : undefined
  const user = members.users.find((one) => one.text('userId') === userId)
  if (user === undefined)
    return (
      <>
        <h1>{say('gone')}</h1>
        <BackTo path="users" label={say('back')} />
      </>
    )
  const userTags = user.texts('userTags')
  const change = (type: string, parameters: object): void =>
    submitting.run(() => session.submit(type, { userId, ...parameters }), again)
  return (
    <>
      <h1>
        <Name of={user.text('userName')} />
      </h1>
      <BackTo path="users" label={say('back')} />
      <Outcome of={submitting} />
      <Facts
        of={[
          [say('id'), <Id key="id" of={userId} />],
          [say('email'), plainText(user.textOrNone('userEmail'))],
          [say('phone'), plainText(user.textOrNone('userPhoneNumber'))],
          [
            say('tags'),
            userTags.length > 0 &&
              userTags.map((id) => (
                <span key={id} class="badge">
                  <Name of={members.tagNames.get(id) ?? id} id={id} />
                </span>
              )),
          ],
          [say('created'), timeOf(user, 'createdAt')],
          [say('lastUse'), days !== undefined && <LastUse key="use" day={days.get(userId)} />],
        ]}
      />
      <p class="hint">{say('lastUseHint')}</p>
      <p>
        <a href={pathTo('users', userId, 'mfa')}>{say('mfa')}</a>
      </p>
      <EditUser
        key={user.text('userName') + user.textOrNone('userEmail') + user.textOrNone('userPhoneNumber')}
        user={user}
        features={members.features}
        isBusy={submitting.isBusy}
        onWritten={(parameters) => change('ACTIVITY_TYPE_UPDATE_USER', parameters)}
      />
      <WaysInOfUser
        session={session}
        members={members}
        user={user}
        days={days}
        submitting={submitting}
        change={change}
        again={again}
      />
      {userId !== session.userId && (
        <Confirmed
          label={say('removeUser')}
          isBusy={submitting.isBusy}
          isRefused={breaksQuorum(members, userId)}
          onConfirmed={() =>
            submitting.run(() => session.submit('ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] }))
          }
        >
          <p>{breaksQuorum(members, userId) ? say('breaksQuorum') : say('removeUserWhy')}</p>
        </Confirmed>
      )}
    </>
  )
}
