import type { Session } from '../session/session.ts'
import type { Members } from './ways-in.ts'

export async function membersOf(session: Session): Promise<Members> {
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
