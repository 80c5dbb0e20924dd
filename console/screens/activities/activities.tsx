import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import { moment } from '../../words/moment.ts'
import type { Screen, ScreenProps } from '../screen.ts'
import { say } from './words.ts'

/** What was asked for, the newest first. */
export const activities: Screen = { path: 'activities', title: () => say('title'), View: Activities }

function Activities({ session, rest: [id] }: ScreenProps) {
  return id === undefined ? <List session={session} /> : <One session={session} id={id} />
}

function List({ session }: Pick<ScreenProps, 'session'>) {
  const list = useLoaded(async () => (await session.query('list_activities')).list('activities'), [session])
  return (
    <>
      <h1>{say('title')}</h1>
      <Loading of={list}>
        {(found) =>
          found.length === 0 ? (
            <p>{say('none')}</p>
          ) : (
            <ul class="cards">
              {found.map((activity) => (
                <li key={activity.text('id')}>
                  <a href={pathTo('activities', activity.text('id'))}>{activity.text('type')}</a>
                  <span class="badge">{activity.text('status')}</span>
                  <span class="faint">{createdAt(activity)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </>
  )
}

function One({ session, id }: Pick<ScreenProps, 'session'> & { readonly id: string }) {
  const loaded = useLoaded(
    async () => (await session.query('get_activity', { activityId: id })).object('activity'),
    [session, id],
  )
  return (
    <>
      <h1>{say('one')}</h1>
      <Loading of={loaded}>
        {(activity) => (
          <Facts
            of={[
              [say('type'), activity.text('type')],
              [say('status'), activity.text('status')],
              [say('created'), createdAt(activity)],
            ]}
          />
        )}
      </Loading>
    </>
  )
}

function createdAt(activity: Answered): string {
  return moment(activity.object('createdAt').number('seconds') * 1_000)
}
