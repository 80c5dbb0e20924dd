import { useState } from 'preact/hooks'
import { BackTo } from '../../parts/back-to.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Name } from '../../parts/name.tsx'
import { membersOf } from '../../parts/members-of.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { Outdated } from '../../parts/outdated.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Ticks } from '../../parts/ticks.tsx'
import { useCurrent } from '../../parts/use-current.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { type Members, type Quorum, reachOf } from '../../parts/ways-in.ts'
import { say } from './words.ts'

type Showing = { readonly session: Session; readonly members: Members; readonly again: () => void }

/** Who is of the root quorum and how many it takes; before it is sent, the page says who could still reach it. */
export function QuorumForm({ session, members, again }: Showing) {
  const submitting = useSubmit()
  const { quorum: before } = members
  const [userIds, setUserIds] = useState(before.userIds)
  const [threshold, setThreshold] = useState(before.threshold)
  const after: Quorum = { threshold, userIds }
  const isPossible = threshold >= 1 && threshold <= userIds.length
  // A change names all members: one from an older list would bring back somebody who was taken out of it meanwhile.
  const current = useCurrent()
  const change = (): void => {
    let now = before
    current.run(
      async () => {
        now = (await membersOf(session)).quorum
        return isSame(before, now)
      },
      () =>
        submitting.run(
          () => session.submit('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold, userIds }),
          again,
        ),
      () => {
        setUserIds(now.userIds)
        setThreshold(now.threshold)
        again()
      },
    )
  }
  return (
    <>
      <h1>{say('quorumTitle')}</h1>
      <BackTo path="users" label={say('back')} />
      <Outcome of={submitting} />
      <Outdated of={current} text={say('outdated')} />
      <p>{say('nowOf', { threshold: before.threshold, count: before.userIds.length })}</p>
      <Ticks
        legend={say('members')}
        of={members.users.map((user) => ({ id: user.text('userId'), name: user.text('userName') }))}
        ticked={userIds}
        onTicked={setUserIds}
      />
      <TextField
        label={say('threshold')}
        type="number"
        min={1}
        value={String(threshold)}
        onText={(text) => setThreshold(Math.trunc(Number(text)) || 0)}
      />
      <Reach members={members} after={after} self={session.userId} />
      {isSame(before, after) ? (
        <p class="faint">{say('unchanged')}</p>
      ) : (
        isPossible && (
          <Confirmed label={say('change')} isBusy={current.isBusy || submitting.isBusy} onConfirmed={change}>
            <p>
              {say('after', { threshold, count: userIds.length, able: reachOf(members, after).able.length })}
            </p>
          </Confirmed>
        )
      )}
    </>
  )
}

/** Which members could vote under this quorum, and what could go wrong with it. */
function Reach({
  members,
  after,
  self,
}: {
  readonly members: Members
  readonly after: Quorum
  readonly self: string
}) {
  const { threshold, userIds } = after
  const { able, shutOut } = reachOf(members, after)
  const isLost = able.length < threshold
  const warnings = [
    threshold > userIds.length && say('tooFew'),
    threshold <= userIds.length && isLost && say('outOfReach', { threshold }),
    able.length === threshold && say('noSpare'),
    threshold === 1 && userIds.length > 1 && say('each'),
    members.quorum.userIds.includes(self) && !userIds.includes(self) && say('leaving'),
  ].filter((warning) => warning !== false)
  return (
    <div role="status">
      <People label={say('able')} of={able} />
      {shutOut.length > 0 && <People label={say('shutOut')} of={shutOut} />}
      {warnings.map((warning) => (
        <p key={warning} class={isLost ? 'note bad' : 'note warn'}>
          {warning}
        </p>
      ))}
    </div>
  )
}

function People({ label, of }: { readonly label: string; readonly of: Members['users'] }) {
  return (
    <p>
      {label}{' '}
      {of.length === 0
        ? say('nobody')
        : of.map((user, at) => (
            <span key={user.text('userId')}>
              {at > 0 && ', '}
              <Name of={user.text('userName')} id={user.text('userId')} />
            </span>
          ))}
    </p>
  )
}

function isSame(before: Quorum, after: Quorum): boolean {
  return (
    before.threshold === after.threshold &&
    before.userIds.length === after.userIds.length &&
    before.userIds.every((id) => after.userIds.includes(id))
  )
}
