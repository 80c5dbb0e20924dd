import { BackTo } from '../../parts/back-to.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { ifThere } from '../../parts/if-there.ts'
import { Loading } from '../../parts/loading.tsx'
import { LongCards } from '../../parts/long-cards.tsx'
import { Name } from '../../parts/name.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { say } from './words.ts'

type Showing = { readonly session: Session; readonly organizationId: string }

/** What the parent may see of a sub-organization: it reads, and nothing else. */
export function OneSubOrganization({ session, organizationId }: Showing) {
  const loaded = useLoaded(() => ifThere(found(session, organizationId)), [session, organizationId])
  return (
    <Loading of={loaded}>
      {(known) => (
        <>
          <h1>{known === undefined ? say('gone') : <Name of={known.organization.text('name')} />}</h1>
          <BackTo path="sub-organizations" label={say('back')} />
          {known !== undefined && <Told {...known} id={organizationId} />}
        </>
      )}
    </Loading>
  )
}

type Known = Awaited<ReturnType<typeof found>> & { readonly id: string }

function Told({ organization, wallets, id }: Known) {
  const quorum = organization.object('rootQuorum')
  const [threshold, rootIds] = [quorum.number('threshold'), quorum.texts('userIds')]
  return (
    <>
      <Facts
        of={[
          [say('id'), <Id key="id" of={id} />],
          [say('quorum'), say('quorumOf', { threshold, count: rootIds.length })],
          [say('keys'), String(organization.list('privateKeys').length)],
        ]}
      />
      <p>{say('readOnly')}</p>
      <h2>{say('usersTitle')}</h2>
      <LongCards of={organization.list('users')} none={say('noUsers')}>
        {(user) => (
          <User key={user.text('userId')} user={user} isRoot={rootIds.includes(user.text('userId'))} />
        )}
      </LongCards>
      <h2>{say('wallets')}</h2>
      <LongCards of={wallets} none={say('noWallets')}>
        {(wallet) => (
          <li key={wallet.text('walletId')}>
            <Name of={wallet.text('walletName')} />
            <span class="faint">
              <Id of={wallet.text('walletId')} /> {timeOf(wallet, 'createdAt')}
            </span>
          </li>
        )}
      </LongCards>
    </>
  )
}

function User({ user, isRoot }: { readonly user: Answered; readonly isRoot: boolean }) {
  const counts = {
    keys: user.list('apiKeys').length,
    passkeys: user.list('authenticators').length,
    accounts: user.list('oauthProviders').length,
  }
  return (
    <li>
      <span>
        <Name of={user.text('userName')} id={user.text('userId')} />{' '}
        {user.textOrNone('userEmail') !== '' && <Name of={user.text('userEmail')} />}
      </span>
      {isRoot && <span class="badge good">{say('root')}</span>}
      <span class="faint">{say('waysIn', counts)}</span>
    </li>
  )
}

async function found(session: Session, organizationId: string) {
  const [organization, wallets] = await Promise.all([
    session.query('get_organization', { organizationId }),
    session.query('list_wallets', { organizationId }),
  ])
  return { organization: organization.object('organizationData'), wallets: wallets.list('wallets') }
}
