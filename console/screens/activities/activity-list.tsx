import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Choice } from '../../parts/choice.tsx'
import { firstPages } from '../../parts/first-pages.ts'
import { Loading } from '../../parts/loading.tsx'
import { More } from '../../parts/more.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { Status } from '../../parts/status.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { useChanges } from '../../session/use-changes.ts'
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
        <Choice
          label={say('status')}
          value={choice}
          options={CHOICES.map((one) => [one, say(one)])}
          onChoice={setChoice}
        />
        <TextField label={say('name')} type="search" value={name} onText={setName} />
      </div>
      <Loading of={loaded}>
        {({ items, hasMore }) => (
          <>
            <Cards of={items} none={say('none')}>
              {(activity) => <Line key={activity.text('activityId')} activity={activity} />}
            </Cards>
            <More isThere={hasMore} onMore={() => setPages(pages + 1)} />
          </>
        )}
      </Loading>
    </>
  )
}

// The object has these keys and no others.
const CHOICES = Object.keys(STATUSES) as readonly StatusChoice[]

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

async function found(session: Session, { choice, name, pages }: Asked) {
  return await firstPages(pages, async (after) => {
    const answer = await session.query('list_activity_summaries', {
      limit: String(PAGE),
      filterByStatus: STATUSES[choice],
      ...(name === '' ? {} : { name }),
      ...after,
    })
    return { items: answer.list('activities'), next: answer.textOrNone('next') }
  })
}
