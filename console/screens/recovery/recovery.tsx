import { Confirmed } from '../../parts/confirmed.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { moment } from '../../words/moment.ts'
import { type Attempt, attemptIn } from './attempt.ts'
import { say } from './words.ts'

const ATTEMPT = 'FEATURE_NAME_ORGANIZATION_RECOVERY_ATTEMPT'

type Showing = {
  readonly session: Session
  /** The configuration of the organization, in which there is an attempt. */
  readonly configs: Answered
}

/** Above every screen, for as long as somebody is about to become a root user by shares. */
export function Recovery({ session, configs }: Showing) {
  const submitting = useSubmit()
  const isRoot = configs.object('quorum').texts('userIds').includes(session.userId)
  const isStopped = submitting.activity?.text('status') === 'ACTIVITY_STATUS_COMPLETED'
  const stop = (): void =>
    submitting.run(() => session.submit('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', { name: ATTEMPT }))
  return (
    <section class="note bad recovery" aria-label={say('title')}>
      <p role="alert">
        <strong>{say('title')}</strong>
      </p>
      <UnderWay attempt={attemptIn(configs)} />
      <Outcome of={submitting} />
      {isStopped ? (
        <p>{say('stopped')}</p>
      ) : isRoot ? (
        <Confirmed label={say('stop')} isBusy={submitting.isBusy} onConfirmed={stop}>
          <p>{say('stops')}</p>
        </Confirmed>
      ) : (
        <p>{say('tellRoot')}</p>
      )}
    </section>
  )
}

function UnderWay({ attempt }: { readonly attempt: Attempt | undefined }) {
  if (attempt === undefined) return <p>{say('unreadable')}</p>
  const { names, begunAt, hoursLeft } = attempt
  return (
    <>
      <p>{say('begun', { at: moment(begunAt) })}</p>
      <p>{say('becomes')}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <Name of={name} />
          </li>
        ))}
      </ul>
      <p>{hoursLeft > 0 ? say('left', { hours: hoursLeft }) : say('soon')}</p>
    </>
  )
}
