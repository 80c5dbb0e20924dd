import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import { Facts } from '../../parts/facts.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { type HostWord, isAgent } from './host-word.ts'
import { listed } from './listed.tsx'
import { isWaiting } from './waiting.ts'
import { say } from './words.ts'

export type Said = { readonly checked: CheckedActivity; readonly word: HostWord }

/** Who asks, who has agreed, and what for: what a person wants to know first, and what only the host can tell. */
export function Asked({ checked: { host }, word }: Said) {
  const userName = (id: string): string => word.users.get(id) ?? id
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
        [
          say('votes'),
          listed(host.votes.map((vote, at) => <Vote key={at} vote={vote} name={userName(vote.userId)} />)),
        ],
        [
          say('policies'),
          isWaiting(host.status) &&
            listed(
              word.policies.map(({ id, name }) => (
                <a key={id} href={pathTo('policies', id)}>
                  <Name of={name} />
                </a>
              )),
            ),
        ],
        [say('yours'), isWaiting(host.status) && word.completes === true && say('completes')],
      ]}
    />
  )
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
