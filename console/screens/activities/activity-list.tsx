import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { PageTurner, usePlace } from '../../parts/page-turner.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { Status } from '../../parts/status.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { usePaused } from '../../parts/use-paused.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { useChanges } from '../../session/use-changes.ts'
import { say as title } from '../words.ts'
import { plainText } from '../../words/plain-text.ts'
import { type Filter, keepFilter, keptFilter, timesOf } from './kept-filter.ts'
import { say } from './words.ts'

const PAGE = 50

const STATUSES = {
  all: [],
  waiting: ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'],
  completed: ['ACTIVITY_STATUS_COMPLETED'],
  failed: ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'],
} as const

type StatusChoice = keyof typeof STATUSES

/** Activities in short, by how they stand and by the names in them. */
export function ActivityList({ session }: { readonly session: Session }) {
  const [filter, setFilter] = useState(keptFilter)
  const { from, until } = filter
  const name = usePaused(filter.name)
  const choice = CHOICES.find((one) => one === filter.choice) ?? 'all'
  const place = usePlace(JSON.stringify({ ...filter, name }))
  const { after } = place.after
  const loaded = useLoaded(
    (signal) =>
      found(session, { statuses: STATUSES[choice], name, times: timesOf(filter), ...place.after }, signal),
    [session, choice, name, from, until, after],
  )
  const change = (changed: Partial<Filter>): void => {
    keepFilter({ ...filter, ...changed })
    setFilter({ ...filter, ...changed })
  }
  // A search may be dear: it is made when it is asked for, and not with every change.
  useChanges(name === '' ? session : undefined, loaded.again)
  return (
    <>
      <h1>{title('activities')}</h1>
      <div class="row">
        <Choice
          label={say('status')}
          value={choice}
          options={CHOICES.map((one) => [one, say(one)])}
          onChoice={(chosen) => change({ choice: chosen })}
        />
        <TextField
          label={say('name')}
          type="search"
          value={filter.name}
          onText={(text) => change({ name: text })}
        />
        <TextField label={say('from')} type="date" value={from} onText={(day) => change({ from: day })} />
        <TextField label={say('until')} type="date" value={until} onText={(day) => change({ until: day })} />
      </div>
      <Loading of={loaded}>
        {({ activities, next }) => (
          <>
            <Cards of={activities} none={say(next === '' ? 'none' : 'noneYet')}>
              {(activity) => <Line key={activity.text('activityId')} activity={activity} />}
            </Cards>
            <div class="row">
              <PageTurner place={place} next={next} />
            </div>
          </>
        )}
      </Loading>
    </>
  )
}

type Search = {
  readonly statuses: readonly string[]
  readonly name: string
  readonly times: object
  readonly after?: string
}

/** An answer looks through 500 activities for a name at most: so a search on its own looks through ten thousand. */
const ANSWERS_MAX = 20

/** A page of them, of several answers where names are rare. */
async function found(session: Session, { statuses, name, times, after }: Search, signal: AbortSignal) {
  const activities: Answered[] = []
  let next = after ?? ''
  for (let answers = 0; answers < ANSWERS_MAX && !signal.aborted; answers++) {
    const answer = await session.query('list_activity_summaries', {
      limit: String(PAGE - activities.length),
      filterByStatus: statuses,
      ...times,
      ...(name === '' ? {} : { name }),
      ...(next === '' ? {} : { after: next }),
    })
    activities.push(...answer.list('activities'))
    next = answer.textOrNone('next')
    if (next === '' || activities.length >= PAGE) break
  }
  return { activities, next }
}

// The object has these keys and no others.
const CHOICES = Object.keys(STATUSES) as readonly StatusChoice[]

function Line({ activity }: { readonly activity: Answered }) {
  return (
    <li>
      <span>
        <a href={pathTo('activities', activity.text('activityId'))}>{plainText(activity.text('kind'))}</a>{' '}
        {activity.texts('names').map((one) => (
          <span key={one} class="badge">
            <Name of={one} />
          </span>
        ))}
      </span>
      <Status of={activity.text('status')} />
      <span class="faint">
        {timeOf(activity, 'createdAt')}
        {activity.has('userName') && (
          <>
            {' · '}
            <Name of={activity.text('userName')} id={activity.textOrNone('userId')} />
          </>
        )}
      </span>
    </li>
  )
}
