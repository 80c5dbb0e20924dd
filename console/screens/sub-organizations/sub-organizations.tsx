import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { moment } from '../../words/moment.ts'
import type { Screen, ScreenProps } from '../screen.ts'
import { say } from './words.ts'

const PAGE = 50

/** The sub-organizations, of which there may be a million: a page at a time, or those that begin as one types. */
export const subOrganizations: Screen = {
  path: 'sub-organizations',
  title: () => say('title'),
  View: SubOrganizations,
}

function SubOrganizations({ session }: ScreenProps) {
  const [searchBy, setSearchBy] = useState<'NAME' | 'EMAIL'>('NAME')
  const [prefix, setPrefix] = useState('')
  // Where each page up to this one begins.
  const [places, setPlaces] = useState<readonly string[]>([])
  const after = places.at(-1)
  const loaded = useLoaded(
    () => page(session, { searchBy, prefix, after }),
    [session, searchBy, prefix, after],
  )
  return (
    <>
      <h1>{say('title')}</h1>
      <div class="row">
        <Field label={say('by')}>
          {(attributes) => (
            <select
              {...attributes}
              value={searchBy}
              onChange={(event) => {
                setSearchBy(event.currentTarget.value === 'EMAIL' ? 'EMAIL' : 'NAME')
                setPlaces([])
              }}
            >
              <option value="NAME">{say('name')}</option>
              <option value="EMAIL">{say('email')}</option>
            </select>
          )}
        </Field>
        <Field label={say('begins')}>
          {(attributes) => (
            <input
              {...attributes}
              type="search"
              value={prefix}
              onInput={(event) => {
                setPrefix(event.currentTarget.value)
                setPlaces([])
              }}
            />
          )}
        </Field>
      </div>
      <Loading of={loaded}>
        {({ found, next }) => (
          <>
            {found.length === 0 && <p>{say('none')}</p>}
            <ul class="cards">
              {found.map((one) => (
                <Line key={one.text('organizationId')} organization={one} />
              ))}
            </ul>
            <div class="row">
              {places.length > 0 && (
                <button type="button" onClick={() => setPlaces(places.slice(0, -1))}>
                  {say('back')}
                </button>
              )}
              {next !== undefined && (
                <button type="button" onClick={() => setPlaces([...places, next])}>
                  {say('next')}
                </button>
              )}
            </div>
          </>
        )}
      </Loading>
    </>
  )
}

function Line({ organization }: { readonly organization: Answered }) {
  const users = organization.list('rootUsers')
  return (
    <li>
      <Name of={organization.text('organizationName')} />
      <span class="faint">
        <span class="id">{organization.text('organizationId')}</span>
        <br />
        {say('since', { at: moment(organization.object('createdAt').number('seconds') * 1_000) })} {' · '}
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

async function page(
  session: Session,
  of: { readonly searchBy: string; readonly prefix: string; readonly after: string | undefined },
): Promise<{ readonly found: readonly Answered[]; readonly next: string | undefined }> {
  const { searchBy, prefix, after } = of
  const answer = await session.query('search_suborgs', {
    limit: String(PAGE),
    ...(prefix === '' ? {} : { searchBy, prefix }),
    ...(after === undefined ? {} : { after }),
  })
  return {
    found: answer.list('subOrganizations'),
    next: answer.has('next') ? answer.text('next') : undefined,
  }
}
