import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { Problem } from '../../parts/problem.tsx'
import { LongTextField, TextField } from '../../parts/text-field.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { draftOf, type Written } from './terms.ts'
import { Verdict } from './verdict.tsx'
import { say } from './words.ts'

type TryProps = { readonly session: Session; readonly written: readonly Written[] }

/** A request that nobody makes, judged by the policies of now and with these. */
export function TryPart({ session, written }: TryProps) {
  const [type, setType] = useState('ACTIVITY_TYPE_CREATE_USER_TAG')
  const [parameters, setParameters] = useState('{ "userTagName": "Auditors", "userIds": [] }')
  const [userId, setUserId] = useState(session.userId)
  const [answer, setAnswer] = useState<Answered | undefined>(undefined)
  const { isBusy, error, run } = useAction()
  const users = useUsers(session)
  const tried = (): void =>
    run(async () => {
      const draft = draftOf(written)
      setAnswer(
        await session.query('try_activity', { type, parameters: JSON.parse(parameters), userId, draft }),
      )
    })
  return (
    <details>
      <summary>{say('try')}</summary>
      <TextField label={say('type')} value={type} onText={setType} />
      <LongTextField label={say('parameters')} spellcheck={false} value={parameters} onText={setParameters} />
      <Choice
        label={say('user')}
        hint={say('userHint')}
        value={userId}
        options={users.map((user) => [user.text('userId'), plainText(user.text('userName'))])}
        onChoice={setUserId}
      />
      <button type="button" disabled={isBusy || !isJson(parameters)} onClick={tried}>
        {say('tryIt')}
      </button>
      {error !== undefined && <Problem error={error} />}
      {answer !== undefined && (
        <p role="status">
          {say('now')} <Verdict of={answer.object('judgement').text('decision')} />{' '}
          {say(written.length === 1 ? 'withThis' : 'withThese')}{' '}
          <Verdict of={answer.object(answer.has('drafted') ? 'drafted' : 'judgement').text('decision')} />{' '}
          {!answer.object('judgement').flag('asked') && say('notAsked')}
        </p>
      )}
    </details>
  )
}

function useUsers(session: Session): readonly Answered[] {
  const { state } = useLoaded(async () => (await session.query('list_users')).list('users'), [session])
  return state.kind === 'loaded' ? state.value : []
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
