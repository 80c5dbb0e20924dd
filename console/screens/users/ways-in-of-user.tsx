import type { Submitting } from '../../parts/use-submit.ts'
import { leftWithout, type Members } from '../../parts/ways-in.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { apiKeysOf, passkeysOf, providersOf, walletsOf } from './credential.ts'
import { Credentials } from './credentials.tsx'
import type { LastUses } from './last-use.tsx'
import { NewKey } from './new-key.tsx'
import { NewPasskey } from './new-passkey.tsx'
import { NewProvider } from './new-provider.tsx'
import { say } from './words.ts'

type Showing = {
  readonly session: Session
  readonly members: Members
  readonly user: Answered
  readonly days: LastUses
  readonly submitting: Submitting
  /** Asks for a change of this user. */
  readonly change: (type: string, parameters: object) => void
  readonly again: () => void
}

/** Every way in of a user, what may be taken away, and what may be added. */
export function WaysInOfUser({ session, members, user, days, submitting, change, again }: Showing) {
  const { isBusy } = submitting
  const warning = (id: string): string => say(WARNINGS[leftWithout(members, user, id) ?? 'enough'])
  const isRefused = (id: string): boolean => leftWithout(members, user, id) === 'nothing'
  const listed = { isBusy, warning, isRefused }
  const wallets = walletsOf(user)
  return (
    <>
      <h2>{say('passkeys')}</h2>
      <Credentials
        {...listed}
        of={passkeysOf(user)}
        days={days}
        onRemove={(id) => change('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { authenticatorIds: [id] })}
      />
      {user.text('userId') === session.userId && (
        <NewPasskey session={session} user={user} submitting={submitting} again={again} />
      )}
      <h2>{say('apiKeys')}</h2>
      <Credentials
        {...listed}
        of={apiKeysOf(user)}
        days={days}
        onRemove={(id) => change('ACTIVITY_TYPE_DELETE_API_KEYS', { apiKeyIds: [id] })}
      />
      <NewKey key={apiKeysOf(user).length} isBusy={isBusy} change={change} />
      <h2>{say('providers')}</h2>
      <Credentials
        {...listed}
        of={providersOf(user)}
        days={undefined}
        onRemove={(id) => change('ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', { providerIds: [id] })}
      />
      <NewProvider isBusy={isBusy} change={change} />
      {wallets.length > 0 && (
        <>
          <h2>{say('wallets')}</h2>
          <Credentials
            {...listed}
            of={wallets}
            days={undefined}
            onRemove={(id) =>
              change('ACTIVITY_TYPE_DELETE_WALLET_AUTHENTICATORS', { walletAuthenticatorIds: [id] })
            }
          />
        </>
      )}
    </>
  )
}

const WARNINGS = {
  enough: 'removeCredential',
  nothing: 'lastWayIn',
  parentAlone: 'lastOwnWayIn',
} as const
