import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { PageTurner, usePlace } from '../../parts/page-turner.tsx'
import { Status } from '../../parts/status.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { usePaused } from '../../parts/use-paused.ts'
import type { Session } from '../../session/session.ts'
import { called, plainText, shortId } from '../../words/plain-text.ts'
import type { ScreenProps } from '../screen.ts'
import { say as title } from '../words.ts'
import { Export } from './export.tsx'
import { Proof } from './proof.tsx'
import { type AuditRecord, type Filter, recordsOf } from './records.ts'
import { say } from './words.ts'

const PAGE = 50

/** The record of everything that was asked for: by whom, how it ended, and which policies decided it. */
export function Audit({ session }: ScreenProps) {
  const [typed, setTyped] = useState<Filter>({ userId: '', kind: '', from: '', before: '' })
  const change = (changed: Partial<Filter>): void => setTyped({ ...typed, ...changed })
  const filter = { ...typed, kind: kindIn(usePaused(typed.kind)) }
  const names = useLoaded(() => namesIn(session), [session])
  return (
    <>
      <h1>{title('audit')}</h1>
      <p>{say('about')}</p>
      <Loading of={names}>
        {({ users, policies }) => (
          <>
            <div class="row">
              <Choice
                label={say('user')}
                value={typed.userId}
                options={[['', say('everybody')], ...users]}
                onChoice={(userId) => change({ userId })}
              />
              <TextField
                label={say('kind')}
                type="search"
                value={typed.kind}
                onText={(kind) => change({ kind })}
              />
              <TextField
                label={say('from')}
                type="datetime-local"
                value={typed.from}
                onText={(from) => change({ from })}
              />
              <TextField
                label={say('before')}
                type="datetime-local"
                value={typed.before}
                onText={(before) => change({ before })}
              />
            </div>
            <Records key={JSON.stringify(filter)} session={session} filter={filter} policies={policies} />
            <Export session={session} filter={{ ...typed, kind: kindIn(typed.kind) }} />
          </>
        )}
      </Loading>
    </>
  )
}

/** `create policy` and `ACTIVITY_TYPE_CREATE_POLICY_V3` are the kind `CREATE_POLICY`. */
function kindIn(text: string): string {
  return text
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
}

type Listing = {
  readonly session: Session
  readonly filter: Filter
  readonly policies: ReadonlyMap<string, string>
}

function Records({ session, filter, policies }: Listing) {
  const place = usePlace()
  const loaded = useLoaded(
    () => recordsOf(session, filter, { limit: PAGE, ...place.after }),
    [session, place.after.after],
  )
  return (
    <Loading of={loaded}>
      {({ records, next }) => (
        <>
          <Cards of={records} none={say(next === '' ? 'none' : 'noneYet')}>
            {(record) => (
              <Line key={record.activityId} session={session} record={record} policies={policies} />
            )}
          </Cards>
          <div class="row">
            <PageTurner place={place} next={next} />
          </div>
        </>
      )}
    </Loading>
  )
}

function Line({ session, record, policies }: Omit<Listing, 'filter'> & { readonly record: AuditRecord }) {
  const { createdAt, type, userId, userName, names, status, decidedBy } = record
  const decisions = decidedBy.map(({ policyId, outcome }) => {
    const name = policies.get(policyId)
    return say(outcome === 'OUTCOME_ALLOW' ? 'allowed' : outcome === 'OUTCOME_ERROR' ? 'failed' : 'denied', {
      policy: name === undefined ? policyId : called(name, policyId),
    })
  })
  return (
    <li>
      <span>
        <code>{plainText(type.replace('ACTIVITY_TYPE_', ''))}</code>{' '}
        {names.map((one) => (
          <span key={one} class="badge">
            <Name of={one} />
          </span>
        ))}
      </span>
      <Status of={status} />
      <span class="faint">
        <time dateTime={createdAt}>{createdAt}</time> {' · '}
        <Name of={userName} id={userId} /> {' · '}
        {decisions.length === 0 ? say('noPolicy') : decisions.join(' ')}
      </span>
      <Proof session={session} record={record} />
    </li>
  )
}

async function namesIn(session: Session) {
  const [users, policies] = await Promise.all([session.query('list_users'), session.query('list_policies')])
  return {
    users: users
      .list('users')
      .map(
        (user) =>
          [user.text('userId'), plainText(user.text('userName')) + shortId(user.text('userId'))] as const,
      ),
    policies: new Map(
      policies.list('policies').map((policy) => [policy.text('policyId'), policy.text('policyName')]),
    ),
  }
}
