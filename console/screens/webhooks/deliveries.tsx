import { useState } from 'preact/hooks'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { Problem } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { moment } from '../../words/moment.ts'
import { say } from './words.ts'

/** What waits for an endpoint, in the order in which it is sent, and what was given up. */
export function Deliveries({
  session,
  endpointId,
  endpoint,
}: {
  readonly session: Session
  readonly endpointId: string
  readonly endpoint: Answered | undefined
}) {
  if (endpoint === undefined) return <p>{say('gone')}</p>
  return (
    <>
      <p>
        <a href={pathTo('webhooks')}>{say('back')}</a>
      </p>
      <p>
        <Name of={endpoint.text('name')} /> {' · '}
        <Name of={endpoint.text('url')} />
      </p>
      <Queue session={session} endpointId={endpointId} state="WAITING" />
      <Queue session={session} endpointId={endpointId} state="DEAD" />
    </>
  )
}

const PAGE = 50

function Queue({
  session,
  endpointId,
  state,
}: {
  readonly session: Session
  readonly endpointId: string
  readonly state: 'WAITING' | 'DEAD'
}) {
  // Where each page up to this one begins.
  const [places, setPlaces] = useState<readonly string[]>([])
  const after = places.at(-1)
  const loaded = useLoaded(
    async () =>
      await session.query('list_webhook_deliveries', {
        endpointId,
        state,
        limit: String(PAGE),
        ...(after === undefined ? {} : { after }),
      }),
    [session, endpointId, state, after],
  )
  return (
    <section>
      <h2>{say(state === 'DEAD' ? 'dead' : 'waiting')}</h2>
      <Loading of={loaded}>
        {(answer) => (
          <>
            {answer.list('deliveries').length === 0 && <p>{say('nothing')}</p>}
            {answer.has('nextAttemptAt') && (
              <p class="faint">{say('next', { at: timeIn(answer, 'nextAttemptAt') })}</p>
            )}
            <ul class="cards">
              {answer.list('deliveries').map((one) => (
                <Line key={one.text('deliveryId')} delivery={one} />
              ))}
            </ul>
            {state === 'DEAD' && (
              <Redeliver
                session={session}
                endpointId={endpointId}
                redeliver={answer.list('deliveries').map((one) => one.text('deliveryId'))}
                again={loaded.again}
              />
            )}
            <div class="row">
              <button type="button" onClick={loaded.again}>
                {say('again')}
              </button>
              {answer.has('next') && (
                <button type="button" onClick={() => setPlaces([...places, answer.text('next')])}>
                  {say('more')}
                </button>
              )}
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
}: {
  readonly session: Session
  readonly endpointId: string
  readonly redeliver: readonly string[]
  readonly again: () => void
}) {
  const { isBusy, error, run } = useAction()
  const [asked, setAsked] = useState<Answered | undefined>(undefined)
  const ask = (): void =>
    run(async () => {
      setAsked(await session.submit('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', { endpointId, redeliver }))
      again()
    })
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      {asked !== undefined && (
        <p role="status">
          {say('asked')} <Status of={asked.text('status')} />
        </p>
      )}
      {redeliver.length > 0 && (
        <p>
          <button type="button" disabled={isBusy} onClick={ask}>
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
        {timeIn(delivery, 'createdAt')}
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

function timeIn(answer: Answered, name: string): string {
  return moment(answer.object(name).number('seconds') * 1_000)
}
