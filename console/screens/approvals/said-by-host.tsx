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
  const user = (id: string) => <Name of={word.users.get(id) ?? id} id={id} />
  // The word stands outside the name, so that nobody can be named as if others had voted.
  const voted = ({ selection, userId }: (typeof host.votes)[number]) => {
    const vote = selection === 'VOTE_SELECTION_APPROVED' ? 'approved' : 'rejected'
    return (
      <>
        <span class={`badge ${vote === 'approved' ? 'good' : 'bad'}`}>{say(vote)}</span> {user(userId)}
      </>
    )
  }
  return (
    <Facts
      of={[
        [
          say('asker'),
          <>
            {user(host.askerId)}{' '}
            {isAgent(word.users.get(host.askerId)) && <span class="badge">{say('agent')}</span>}
          </>,
        ],
        [say('votes'), listed(host.votes.map(voted))],
        [
          say('policies'),
          isWaiting(host.status) &&
            listed(
              word.policies.map(({ id, name }) => (
                <a key={id} href={pathTo('policies', id)}>
                  <Name of={name} id={id} />
                </a>
              )),
            ),
        ],
        [say('yours'), isWaiting(host.status) && word.completes === true && say('completes')],
      ]}
    />
  )
}
