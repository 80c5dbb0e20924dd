import type { ScreenProps } from '../screen.ts'
import { SubOrganizationList } from './list.tsx'
import { OneSubOrganization } from './one.tsx'

/** The organizations below this one. */
export function SubOrganizations({ session, rest: [organizationId] }: ScreenProps) {
  return organizationId === undefined ? (
    <SubOrganizationList session={session} />
  ) : (
    <OneSubOrganization key={organizationId} session={session} organizationId={organizationId} />
  )
}
