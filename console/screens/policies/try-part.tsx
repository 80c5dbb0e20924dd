import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { Problem } from '../../parts/problem.tsx'
import { LongTextField, TextField } from '../../parts/text-field.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { timeOf } from '../../parts/time-of.ts'
import { asciiJson } from '../../words/plain-json.ts'
import { plainText, shortId } from '../../words/plain-text.ts'
import { draftOf, type Written } from './terms.ts'
import { Verdict } from './verdict.tsx'
import { requestIn } from './written-request.ts'
import { say } from './words.ts'

type TryProps = { readonly session: Session; readonly written: readonly Written[] }

/** A request that nobody makes, judged by the policies of now and with these. */
export function TryPart({ session, written }: TryProps) {
  const [type, setType] = useState('ACTIVITY_TYPE_CREATE_USER_TAG')
  const [parameters, setParameters] = useState('{ "userTagName": "Auditors", "userIds": [] }')
  const [userId, setUserId] = useState(session.userId)
  const [tried, setTried] = useState<{ readonly of: string; readonly answer: Answered } | undefined>(
    undefined,
  )
  const { isBusy, error, run } = useAction()
  const { users, recent } = useAround(session)
  const request = requestIn(parameters)
  const asked = { type, parameters: request?.parameters, userId, draft: draftOf(written) }
  const of = JSON.stringify(asked)
  const write = (text: string): void => {
    setParameters(text)
    setType(requestIn(text)?.type ?? type)
  }
  const take = (activityId: string): void =>
    run(async () => {
      const activity = (await session.query('get_activity', { activityId })).object('activity')
      const [first] = activity.list('votes')
      write(asciiJson(JSON.stringify(activity.object('intent').value, null, 2)))
      setType(activity.text('type'))
      if (first !== undefined) setUserId(first.object('user').text('userId'))
    })
  const tryIt = (): void =>
    run(async () => setTried({ of, answer: await session.query('try_activity', asked) }))
  // What was judged is another request by now, or another text.
  const answer = tried?.of === of ? tried.answer : undefined
  return (
    <details>
      <summary>{say('try')}</summary>
      <Choice
        label={say('recent')}
        value=""
        options={[['', '…'], ...recent.map((one) => [one.text('activityId'), titleOf(one)] as const)]}
        onChoice={(activityId) => activityId !== '' && take(activityId)}
      />
      <TextField label={say('type')} value={type} onText={setType} />
      <LongTextField
        label={say('parameters')}
        hint={say('parametersHint')}
        spellcheck={false}
        value={parameters}
        onText={write}
      />
      <Choice
        label={say('user')}
        hint={say('userHint')}
        value={userId}
        options={users.map(optionOf)}
        onChoice={setUserId}
      />
      <button type="button" disabled={isBusy || request === undefined} onClick={tryIt}>
        {say('tryIt')}
      </button>
      {error !== undefined && <Problem error={error} />}
      {answer !== undefined && (
        <p role="status">
          {say('now')} <Verdict of={answer.object('judgement').text('decision')} /> {say('withThis')}{' '}
          <Verdict of={answer.object(answer.has('drafted') ? 'drafted' : 'judgement').text('decision')} />{' '}
          {!answer.object('judgement').flag('asked') && say('notAsked')}
        </p>
      )}
    </details>
  )
}

function optionOf(user: Answered): readonly [id: string, name: string] {
  const id = user.text('userId')
  return [id, plainText(user.text('userName')) + shortId(id)]
}

/** Who could ask, and what was asked for lately. */
function useAround(session: Session) {
  const { state } = useLoaded(async () => {
    const [users, recent] = await Promise.all([
      session.query('list_users'),
      session.query('list_activity_summaries', { limit: RECENT }),
    ])
    return { users: users.list('users'), recent: recent.list('activities') }
  }, [session])
  return state.kind === 'loaded' ? state.value : { users: [], recent: [] }
}

const RECENT = '20'

function titleOf(activity: Answered): string {
  return [
    activity.text('kind'),
    ...activity.texts('names'),
    activity.textOrNone('userName'),
    timeOf(activity, 'createdAt'),
  ]
    .filter((part) => part !== '')
    .map(plainText)
    .join(' · ')
}
