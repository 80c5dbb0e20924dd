import { useState } from 'preact/hooks'
import { BackTo } from '../../parts/back-to.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Status } from '../../parts/status.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainJson } from '../../words/plain-json.ts'
import { curlOf } from './curl-of.ts'
import { Explanation } from './explanation.tsx'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

/** An activity: who asked for it and who voted, why it was decided so, what came of it. */
export function OneActivity({
  session,
  activityId,
}: {
  readonly session: Session
  readonly activityId: string
}) {
  const loaded = useLoaded(
    async () => (await session.query('get_activity', { activityId })).object('activity'),
    [session, activityId],
  )
  return (
    <>
      <h1>{say('one')}</h1>
      <BackTo path="activities" label={say('back')} />
      <Loading of={loaded}>{(activity) => <Told session={session} activity={activity} />}</Loading>
    </>
  )
}

function Told({ session, activity }: { readonly session: Session; readonly activity: Answered }) {
  const { activity: _, ...result } = recordOf(activity.object('result').value)
  const failure = activity.has('failure') ? activity.object('failure').textOrNone('message') : ''
  return (
    <>
      <Facts
        of={[
          [say('type'), <code key="type">{plainText(activity.text('type'))}</code>],
          [say('status'), <Status key="status" of={activity.text('status')} />],
          [say('created'), timeOf(activity, 'createdAt')],
          [say('updated'), timeOf(activity, 'updatedAt')],
          [say('id'), <Id key="id" of={activity.text('id')} />],
        ]}
      />
      {failure !== '' && (
        <p class="note bad">
          <Name of={failure} />
        </p>
      )}
      <h2>{say('votes')}</h2>
      <ul class="cards">
        {activity.list('votes').map((vote) => (
          <Vote key={vote.text('id')} vote={vote} />
        ))}
      </ul>
      <Why session={session} activity={activity} />
      <h2>{say('asked')}</h2>
      <pre>{plainJson(activity.object('intent').value)}</pre>
      {Object.keys(result).length > 0 && (
        <>
          <h2>{say('result')}</h2>
          <pre>{plainJson(result)}</pre>
        </>
      )}
      <details>
        <summary>{say('curl')}</summary>
        <p class="hint">{say('curlHint')}</p>
        <pre>{curlOf(activity)}</pre>
      </details>
    </>
  )
}

function Vote({ vote }: { readonly vote: Answered }) {
  const isApproval = vote.text('selection') === 'VOTE_SELECTION_APPROVED'
  return (
    <li>
      <span>
        <Name of={vote.object('user').text('userName')} id={vote.text('userId')} />
      </span>
      <span class={`badge ${isApproval ? 'good' : 'bad'}`}>{say(isApproval ? 'approved' : 'rejected')}</span>
      <span class="faint">
        {timeOf(vote, 'createdAt')} {' · '}
        {vote.textOrNone('scheme') === 'SIGNATURE_SCHEME_TK_WEBAUTHN' ? say('byPasskey') : say('byKey')}
      </span>
    </li>
  )
}

/** Asked for when somebody wants to know: the service judges the activity once more for it. */
function Why({ session, activity }: { readonly session: Session; readonly activity: Answered }) {
  const [isWanted, setWanted] = useState(false)
  return (
    <>
      <h2>{say('why')}</h2>
      {isWanted ? (
        <Explanation session={session} activity={activity} />
      ) : (
        <p>
          <button type="button" onClick={() => setWanted(true)}>
            {say('explain')}
          </button>
        </p>
      )}
    </>
  )
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // It was looked at: an object.
  return value as Readonly<Record<string, unknown>>
}
