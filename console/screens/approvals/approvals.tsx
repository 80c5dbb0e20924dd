import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import { Cards } from '../../parts/cards.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useChanges } from '../../session/use-changes.ts'
import { moment } from '../../words/moment.ts'
import { called } from '../../words/plain-text.ts'
import type { ScreenProps } from '../screen.ts'
import { type HostWord, isAgent, namesOfSigners, usersOf } from './host-word.ts'
import { One } from './one.tsx'
import { LISTED_MAX, waitingActivities } from './waiting.ts'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** What waits for an approval, in words that are made here of its bytes. */
export function Approvals({ session, rest: [id] }: ScreenProps) {
  return id === undefined ? <List session={session} /> : <One session={session} id={id} />
}

function List({ session }: Pick<ScreenProps, 'session'>) {
  const loaded = useLoaded(async () => {
    const [waiting, users, signerName] = await Promise.all([
      waitingActivities(session),
      usersOf(session),
      namesOfSigners(session),
    ])
    return { waiting, users, signerName }
  }, [session])
  useChanges(session, loaded.again)
  return (
    <>
      <h1>{title('approvals')}</h1>
      <Loading of={loaded}>
        {({ waiting, ...names }) => {
          const mine = waiting.filter(({ host }) => host.canApprove)
          const others = waiting.filter(({ host }) => !host.canApprove)
          if (waiting.length === 0) return <p>{say('none')}</p>
          return (
            <>
              <h2>{say('forMe')}</h2>
              <Waiting of={mine} {...names} />
              {others.length > 0 && (
                <>
                  <h2>{say('forOthers')}</h2>
                  <Waiting of={others} {...names} />
                </>
              )}
              {waiting.length === LISTED_MAX && <p class="hint">{say('more')}</p>}
            </>
          )
        }}
      </Loading>
    </>
  )
}

type WaitingProps = {
  readonly of: readonly CheckedActivity[]
  readonly users: ReadonlyMap<string, string>
  readonly signerName: HostWord['nameOf']
}

function Waiting({ of, users, signerName }: WaitingProps) {
  return (
    <Cards of={of} none={say('nothingForMe')}>
      {({ words, fingerprint, refusals, host }) => (
        <li key={host.activityId}>
          <a href={pathTo('approvals', host.activityId)} lang="en">
            {beginning(words.sentence)}
          </a>
          <span>
            {refusals.length > 0 && <span class="badge bad">{say('unreadable')}</span>}
            {words.unknowable.length > 0 && <span class="badge bad">{say('unknown')}</span>}
            {words.dangers.length > 0 && <span class="badge warn">{say('dangerous')}</span>}
          </span>
          <span class="faint">
            {say('digits')} {fingerprint.digits} · {say('asker')}{' '}
            <Name of={users.get(host.askerId) ?? host.askerId} id={host.askerId} />{' '}
            {isAgent(users.get(host.askerId)) && <span class="badge">{say('agent')}</span>}
            <Apart words={words} signerName={signerName} />
          </span>
        </li>
      )}
    </Cards>
  )
}

/** What tells two requests with the same sentence apart: when, from where, and the nonce; and what the host calls a key. */
function Apart({
  words: { facts, timestampMs },
  signerName,
}: Pick<CheckedActivity, 'words'> & Pick<WaitingProps, 'signerName'>) {
  const apart = facts.filter(({ label }) => label === 'Signed with' || label.endsWith('.nonce'))
  return (
    <>
      {timestampMs !== '' && [' · ', moment(Number(timestampMs))]}
      {apart.map(({ label, value, nameable }) => {
        const name = signerName(nameable)
        return (
          <span key={label} lang="en">
            {' · '}
            {label} <Id of={value} /> {name !== undefined && <Name of={called(name, '')} />}
          </span>
        )
      })}
    </>
  )
}

const BEGINNING = 300

/** All of it stands where it can be approved. */
function beginning(sentence: string): string {
  return sentence.length > BEGINNING ? `${sentence.slice(0, BEGINNING)}…` : sentence
}
