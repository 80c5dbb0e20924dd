import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { PageTurner, usePlace } from '../../parts/page-turner.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { TextField } from '../../parts/text-field.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { usePaused } from '../../parts/use-paused.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { say as title } from '../words.ts'
import { NewSubOrganization } from './new.tsx'
import { say } from './words.ts'

const PAGE = 50

/** The sub-organizations, of which there may be a million: a page at a time, or those that begin as one types. */
export function SubOrganizationList({ session }: { readonly session: Session }) {
  const [searchBy, setSearchBy] = useState<'NAME' | 'EMAIL'>('NAME')
  const [typed, setTyped] = useState('')
  const prefix = usePaused(typed)
  const place = usePlace(`${searchBy} ${prefix}`)
  const { after } = place.after
  const loaded = useLoaded(
    () =>
      session.query('search_suborgs', {
        limit: String(PAGE),
        ...(prefix === '' ? {} : { searchBy, prefix }),
        ...place.after,
      }),
    [session, searchBy, prefix, after],
  )
  return (
    <>
      <h1>{title('sub-organizations')}</h1>
      <div class="row">
        <Choice
          label={say('by')}
          value={searchBy}
          options={[
            ['NAME', say('name')],
            ['EMAIL', say('email')],
          ]}
          onChoice={setSearchBy}
        />
        <TextField label={say('begins')} type="search" value={typed} onText={setTyped} />
      </div>
      <Loading of={loaded}>
        {(answer) => (
          <>
            <Cards of={answer.list('subOrganizations')} none={say('none')}>
              {(one) => <Line key={one.text('organizationId')} organization={one} />}
            </Cards>
            <div class="row">
              <PageTurner place={place} next={answer.textOrNone('next')} />
            </div>
          </>
        )}
      </Loading>
      <NewSubOrganization session={session} onMade={loaded.again} />
    </>
  )
}

function Line({ organization }: { readonly organization: Answered }) {
  const users = organization.list('rootUsers')
  return (
    <li>
      <a href={pathTo('sub-organizations', organization.text('organizationId'))}>
        <Name of={organization.text('organizationName')} />
      </a>
      <span class="faint">
        <Id of={organization.text('organizationId')} />
        <br />
        {say('since', { at: timeOf(organization, 'createdAt') })} {' · '}
        {users.slice(0, SHOWN_MAX).map((user) => (
          <span key={user.text('userId')}>
            <Name of={user.text('userName')} />{' '}
            {user.has('userEmail') && <Name of={user.text('userEmail')} />}{' '}
          </span>
        ))}
        {say('users', { count: organization.number('userCount') })}
      </span>
    </li>
  )
}

const SHOWN_MAX = 3
