import type { ComponentChildren } from 'preact'
import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import { Facts } from '../../parts/facts.tsx'
import { Name } from '../../parts/name.tsx'
import { moment } from '../../words/moment.ts'
import { plainText } from '../../words/plain-text.ts'
import { type HostWord, isAgent } from './host-word.ts'
import { say } from './words.ts'

/** Names, votes, policies and limits: what a person wants to know, and what only the host can tell. */
export function SaidByHost({
  checked: { host },
  word,
}: {
  readonly checked: CheckedActivity
  readonly word: HostWord
}) {
  const userName = (id: string): string => word.users.get(id) ?? id
  const times = host.votes.map(({ castAt }) => castAt)
  const others = host.votes.slice(1)
  return (
    <Facts
      of={[
        [
          say('asker'),
          <>
            <Name of={userName(host.askerId)} />{' '}
            {isAgent(word.users.get(host.askerId)) && <span class="badge">{say('agent')}</span>}
          </>,
        ],
        [say('askedAt'), moment(times[0] ?? Number.NaN)],
        [say('status'), plainText(host.status)],
        [
          say('votes'),
          listed(others.map((vote) => <Vote key={vote.userId} vote={vote} name={userName(vote.userId)} />)),
        ],
        [say('voters'), listed(word.voters.map((id) => <Name key={id} of={userName(id)} />))],
        [say('policies'), listed(word.policies.map(({ name }) => <Name key={name} of={name} />))],
        [say('limits'), listed(word.policies.flatMap(limitTexts))],
        [say('lapses'), say('lapsesLong', { moment: moment(Math.max(...times) + WAITS_MAX_MS) })],
      ]}
    />
  )
}

/** As `vault/votes.ts` has it: 30 days after the last vote. */
const WAITS_MAX_MS = 30 * 24 * 60 * 60 * 1_000
const HOUR_MS = 60 * 60 * 1_000

function limitTexts({ limits, used }: HostWord['policies'][number]): readonly string[] {
  return [
    ...limits.map(({ usage, windowMs, most }) => say('limit', { usage, hours: windowMs / HOUR_MS, most })),
    ...used.map((amount) => say('used', { used: amount })),
  ]
}

/** The word stands outside the name, so that nobody can be named as if others had voted. */
function Vote({
  vote: { selection },
  name,
}: {
  readonly vote: CheckedActivity['host']['votes'][number]
  readonly name: string
}) {
  const isApproval = selection === 'VOTE_SELECTION_APPROVED'
  return (
    <>
      <span class={`badge ${isApproval ? 'good' : 'bad'}`}>{say(isApproval ? 'approved' : 'rejected')}</span>{' '}
      <Name of={name} />
    </>
  )
}

function listed(items: readonly ComponentChildren[]) {
  if (items.length === 0) return undefined
  return (
    <ul class="plain">
      {items.map((item, at) => (
        <li key={at}>{item}</li>
      ))}
    </ul>
  )
}
