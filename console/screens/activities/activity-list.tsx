import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { Status } from '../../parts/status.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { useChanges } from '../../session/use-changes.ts'
import { timeOf } from '../../parts/time-of.ts'
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
  const [choice, setChoice] = useState<StatusChoice>('all')
  const [name, setName] = useState('')
  const [pages, setPages] = useState(1)
  const loaded = useLoaded(() => found(session, { choice, name, pages }), [session, choice, name, pages])
  useChanges(session, loaded.again)
  return (
    <>
      <h1>{say('title')}</h1>
      <div class="row">
        <Field label={say('status')}>
          {(attributes) => (
            <select
              {...attributes}
              value={choice}
              onChange={(event) => setChoice(choiceOf(event.currentTarget.value))}
            >
              {CHOICES.map((one) => (
                <option key={one} value={one}>
                  {say(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={say('name')}>
          {(attributes) => (
            <input
              {...attributes}
              type="search"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <Loading of={loaded}>
        {({ activities, hasMore }) => (
          <>
            {activities.length === 0 && <p>{say('none')}</p>}
            <ul class="cards">
              {activities.map((activity) => (
                <Line key={activity.text('activityId')} activity={activity} />
              ))}
            </ul>
            {hasMore && (
              <button type="button" onClick={() => setPages(pages + 1)}>
                {say('more')}
              </button>
            )}
          </>
        )}
      </Loading>
    </>
  )
}

// The object has these keys and no others.
const CHOICES = Object.keys(STATUSES) as readonly StatusChoice[]

function choiceOf(value: string): StatusChoice {
  return CHOICES.find((one) => one === value) ?? 'all'
}

function Line({ activity }: { readonly activity: Answered }) {
  return (
    <li>
      <span>
        <a href={pathTo('activities', activity.text('activityId'))}>{activity.text('kind')}</a>{' '}
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
            <Name of={activity.text('userName')} />
          </>
        )}
      </span>
    </li>
  )
}

type Asked = { readonly choice: StatusChoice; readonly name: string; readonly pages: number }

/** So many pages from the newest on: each of them read anew, so that what has changed is seen. */
async function found(
  session: Session,
  { choice, name, pages }: Asked,
): Promise<{ readonly activities: readonly Answered[]; readonly hasMore: boolean }> {
  const activities: Answered[] = []
  let after: string | undefined
  for (let page = 0; page < pages; page++) {
    const answer = await session.query('list_activity_summaries', {
      limit: String(PAGE),
      filterByStatus: STATUSES[choice],
      ...(name === '' ? {} : { name }),
      ...(after === undefined ? {} : { after }),
    })
    activities.push(...answer.list('activities'))
    after = answer.has('next') ? answer.text('next') : undefined
    if (after === undefined) break
  }
  return { activities, hasMore: after !== undefined }
}
