import { useState } from 'preact/hooks'
import { BackTo } from '../../../parts/back-to.tsx'
import { Cards } from '../../../parts/cards.tsx'
import { Confirmed } from '../../../parts/confirmed.tsx'
import { Loading } from '../../../parts/loading.tsx'
import { Name } from '../../../parts/name.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { timeOf } from '../../../parts/time-of.ts'
import { useLoaded } from '../../../parts/use-loaded.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import type { Members } from '../../../parts/ways-in.ts'
import type { Answered } from '../../../service/answered.ts'
import type { Session } from '../../../session/session.ts'
import { NewInvitation } from './new-invitation.tsx'
import { called, plainText } from '../../../words/plain-text.ts'
import { say } from './words.ts'

type Showing = { readonly session: Session; readonly members: Members }

/** Who was asked by mail to join. */
export function Invitations({ session, members }: Showing) {
  const submitting = useSubmit()
  const loaded = useLoaded(
    async () => (await session.query('list_invitations')).list('invitations'),
    [session],
  )
  const [made, setMade] = useState(0)
  const change = (type: string, parameters: object, onTaken = loaded.again): void =>
    submitting.run(() => session.submit(type, parameters), onTaken)
  const nameOf = (userId: string): string => {
    const user = members.users.find((one) => one.text('userId') === userId)
    return user === undefined ? userId : called(user.text('userName'), userId)
  }
  return (
    <>
      <h1>{say('title')}</h1>
      <BackTo path="users" label={say('back')} />
      <p>{say('about')}</p>
      <Outcome of={submitting} />
      <Loading of={loaded}>
        {(invitations) => (
          <>
            <Cards of={invitations} none={say('none')}>
              {(invitation) => {
                const invitationId = invitation.text('invitationId')
                const name = nameOf(invitation.text('senderUserId'))
                return (
                  <li key={invitationId}>
                    <span>
                      <Name of={invitation.text('receiverUserName')} />{' '}
                      <span class="badge">{accessWord(invitation)}</span>{' '}
                      {invitation.texts('receiverUserTags').map((tagId) => (
                        <span key={tagId} class="badge">
                          <Name of={members.tagNames.get(tagId) ?? tagId} id={tagId} />
                        </span>
                      ))}
                    </span>
                    <Confirmed
                      label={say('cancel')}
                      isBusy={submitting.isBusy}
                      onConfirmed={() => change('ACTIVITY_TYPE_DELETE_INVITATION', { invitationId })}
                    >
                      <p>{say('cancelWhy')}</p>
                    </Confirmed>
                    <span class="faint">
                      <Name of={invitation.text('receiverUserEmail')} /> {' · '}
                      {say('by', { name, at: timeOf(invitation, 'createdAt') })}
                    </span>
                  </li>
                )
              }}
            </Cards>
            <NewInvitation
              key={made}
              tagNames={members.tagNames}
              senderUserId={session.userId}
              isBusy={submitting.isBusy}
              onWritten={(invitation) =>
                change('ACTIVITY_TYPE_CREATE_INVITATIONS', { invitations: [invitation] }, () => {
                  setMade(made + 1)
                  loaded.again()
                })
              }
            />
          </>
        )}
      </Loading>
    </>
  )
}

function accessWord(invitation: Answered): string {
  const access = invitation.text('accessType').replace('ACCESS_TYPE_', '')
  return access === 'WEB' || access === 'API' || access === 'ALL' ? say(access) : plainText(access)
}
