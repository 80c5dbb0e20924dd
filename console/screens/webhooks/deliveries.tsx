import { Again } from '../../parts/again.tsx'
import { Cards } from '../../parts/cards.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { PageTurner, usePlace } from '../../parts/page-turner.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { say } from './words.ts'

type Listed = { readonly session: Session; readonly endpointId: string }

/** What waits for an endpoint, in the order in which it is sent, and what was given up. */
export function Deliveries({ session, endpointId }: Listed) {
  return (
    <>
      <Queue session={session} endpointId={endpointId} state="WAITING" />
      <Queue session={session} endpointId={endpointId} state="DEAD" />
    </>
  )
}

const PAGE = 50

function Queue({ session, endpointId, state }: Listed & { readonly state: 'WAITING' | 'DEAD' }) {
  const place = usePlace()
  const loaded = useLoaded(
    async () =>
      await session.query('list_webhook_deliveries', {
        endpointId,
        state,
        limit: String(PAGE),
        ...place.after,
      }),
    [session, endpointId, state, place.after.after],
  )
  return (
    <section>
      <h2>{say(state === 'DEAD' ? 'dead' : 'waiting')}</h2>
      <Loading of={loaded}>
        {(answer) => (
          <>
            {answer.has('nextAttemptAt') && (
              <p class="faint">{say('next', { at: timeOf(answer, 'nextAttemptAt') })}</p>
            )}
            <Cards of={answer.list('deliveries')} none={say('nothing')}>
              {(one) => <Line key={one.text('deliveryId')} delivery={one} />}
            </Cards>
            {state === 'DEAD' && (
              <Redeliver
                session={session}
                endpointId={endpointId}
                redeliver={answer.list('deliveries').map((one) => one.text('deliveryId'))}
                again={loaded.again}
              />
            )}
            <div class="row">
              <Again of={loaded} />
              <PageTurner place={place} next={answer.textOrNone('next')} />
            </div>
          </>
        )}
      </Loading>
    </section>
  )
}

/** Those on this page, in one activity. */
function Redeliver({
  session,
  endpointId,
  redeliver,
  again,
}: Listed & {
  readonly redeliver: readonly string[]
  readonly again: () => void
}) {
  const submitting = useSubmit()
  const ask = (): void =>
    submitting.run(
      () => session.submit('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', { endpointId, redeliver }),
      again,
    )
  return (
    <>
      <Outcome of={submitting} />
      {redeliver.length > 0 && (
        <p>
          <button type="button" disabled={submitting.isBusy} onClick={ask}>
            {say('redeliver', { count: redeliver.length })}
          </button>
        </p>
      )}
    </>
  )
}

function Line({ delivery }: { readonly delivery: Answered }) {
  return (
    <li>
      <a href={pathTo('activities', delivery.text('activityId'))}>
        {say('event', { id: delivery.text('deliveryId') })}
      </a>
      <span class="badge">{say('attempts', { count: delivery.number('attempts') })}</span>
      <span class="faint">
        {timeOf(delivery, 'createdAt')}
        {delivery.has('failure') && (
          <>
            {' · '}
            <Name of={delivery.text('failure')} />
          </>
        )}
      </span>
    </li>
  )
}
