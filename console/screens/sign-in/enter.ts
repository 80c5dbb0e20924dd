import type { Session } from '../../session/session.ts'

/** @param empty  whether an organization that is not given can be found by the way in */
export type Enter = (
  signIn: (organizationId: string) => Promise<Session>,
  organizationId: string,
  empty?: 'missing' | 'found',
) => void
