import type { ScreenProps } from '../screen.ts'
import { Addresses } from './addresses.tsx'
import { DeleteOrganization } from './delete-organization.tsx'
import { Features } from './features.tsx'
import { NameForm } from './name-form.tsx'
import { Oauth2 } from './oauth2.tsx'
import { SessionProfiles } from './session-profiles.tsx'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** What holds for the whole organization, and how one gets into it. */
export function Settings({ session }: ScreenProps) {
  return (
    <>
      <h1>{title('settings')}</h1>
      <NameForm session={session} />
      <Features session={session} />
      <Addresses session={session} />
      <Oauth2 session={session} />
      <SessionProfiles session={session} />
      <DeleteOrganization session={session} />
      <section>
        <h2>{say('operators')}</h2>
        <p>{say('operatorsWhy')}</p>
      </section>
    </>
  )
}
