import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Session } from '../../session/session.ts'
import type { Screen, ScreenProps } from '../screen.ts'
import { OneUser } from './one-user.tsx'
import { QuorumForm } from './quorum-form.tsx'
import { UserList } from './user-list.tsx'
import type { Members } from './ways-in.ts'
import { say } from './words.ts'

/** Who may do something here, and how they prove who they are. */
export const users: Screen = { path: 'users', title: () => say('title'), View: Users }

function Users({ session, rest: [userId] }: ScreenProps) {
  const loaded = useLoaded(() => members(session), [session])
  return (
    <Loading of={loaded}>
      {(found) => {
        const showing = { session, members: found, again: loaded.again }
        if (userId === undefined) return <UserList {...showing} />
        // No user has such an id.
        if (userId === 'quorum') return <QuorumForm {...showing} />
        return <OneUser {...showing} userId={userId} />
      }}
    </Loading>
  )
}

async function members(session: Session): Promise<Members> {
  const [users, tags, configs] = await Promise.all([
    session.query('list_users'),
    session.query('list_user_tags'),
    session.query('get_organization_configs'),
  ])
  const known = configs.object('configs')
  const quorum = known.object('quorum')
  return {
    users: users.list('users'),
    tagNames: new Map(tags.list('userTags').map((tag) => [tag.text('tagId'), tag.text('tagName')])),
    quorum: { threshold: quorum.number('threshold'), userIds: quorum.texts('userIds') },
    features: new Set(known.list('features').map((feature) => feature.text('name'))),
  }
}
