import { Loading } from '../../parts/loading.tsx'
import { LongCards } from '../../parts/long-cards.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { say as title } from '../words.ts'
import { keyTags } from './key-tags.tsx'
import { NewKey } from './new-key.tsx'
import { NewWallet } from './new-wallet.tsx'
import { Origin } from './origin.tsx'
import { say } from './words.ts'

export function WalletList({ session }: { readonly session: Session }) {
  const wallets = useLoaded(async () => (await session.query('list_wallets')).list('wallets'), [session])
  const keys = useLoaded(async () => await keysAndTags(session), [session])
  return (
    <>
      <h1>{title('wallets')}</h1>
      <h2>{say('wallets')}</h2>
      <Loading of={wallets}>{(found) => <Lines of={found} none={say('noWallets')} named="wallet" />}</Loading>
      <NewWallet session={session} onMade={wallets.again} />
      <h2>{say('keys')}</h2>
      <Loading of={keys}>
        {(found) => (
          <>
            <Lines of={found.keys} none={say('noKeys')} named="privateKey" />
            <NewKey session={session} tags={found.tags} onMade={keys.again} />
          </>
        )}
      </Loading>
    </>
  )
}

async function keysAndTags(session: Session) {
  const [keys, tags] = await Promise.all([session.query('list_private_keys'), keyTags(session)])
  return { keys: keys.list('privateKeys'), tags }
}

type Listed = {
  readonly of: readonly Answered[]
  readonly none: string
  /** How the interface begins the names of their fields. */
  readonly named: 'wallet' | 'privateKey'
}

function Lines({ of, none, named }: Listed) {
  return (
    <LongCards of={of} none={none}>
      {(one) => {
        const id = one.text(`${named}Id`)
        return (
          <li key={id}>
            <a href={named === 'wallet' ? pathTo('wallets', id) : pathTo('wallets', 'keys', id)}>
              <Name of={one.text(`${named}Name`)} id={id} />
            </a>
            <Origin of={one} />
            <span class="faint">
              {timeOf(one, 'createdAt')}{' '}
              {one.listOrNone('addresses').map((address) => (
                <code key={address.path}>
                  <Name of={address.text('address')} />{' '}
                </code>
              ))}
            </span>
          </li>
        )
      }}
    </LongCards>
  )
}
