import { Loading } from '../../parts/loading.tsx'
import { membersOf } from '../../parts/members-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { Invitations } from './invitations/invitations.tsx'
import { MfaPolicies } from './mfa/mfa-policies.tsx'
import { OneUser } from './one-user.tsx'
import { QuorumForm } from './quorum-form.tsx'
import { UserList } from './user-list.tsx'

/** Who may do something here, and how they prove who they are. */
export function Users({ session, rest: [userId, part] }: ScreenProps) {
  const loaded = useLoaded(() => membersOf(session), [session])
  return (
    <Loading of={loaded}>
      {(found) => {
        const showing = { session, members: found, again: loaded.again }
        if (userId === undefined) return <UserList {...showing} />
        // No user has such ids.
        if (userId === 'quorum') return <QuorumForm {...showing} />
        if (userId === 'invitations') return <Invitations {...showing} />
        const user = found.users.find((one) => one.text('userId') === userId)
        if (part === 'mfa' && user !== undefined)
          return <MfaPolicies key={userId} session={session} user={user} />
        return <OneUser {...showing} userId={userId} />
      }}
    </Loading>
  )
}
