import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { More } from '../../parts/more.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { TextField } from '../../parts/text-field.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { derivations, nextAccount } from '../../parts/derivations.ts'
import { KindChoice } from '../../parts/kind-choice.tsx'
import { Origin } from './origin.tsx'
import { say as title } from '../words.ts'
import { say } from './words.ts'

const SHOWN_AT_ONCE = 100

export function WalletList({ session }: { readonly session: Session }) {
  const wallets = useLoaded(async () => (await session.query('list_wallets')).list('wallets'), [session])
  const keys = useLoaded(
    async () => (await session.query('list_private_keys')).list('privateKeys'),
    [session],
  )
  return (
    <>
      <h1>{title('wallets')}</h1>
      <h2>{say('wallets')}</h2>
      <Loading of={wallets}>{(found) => <Lines of={found} none={say('noWallets')} named="wallet" />}</Loading>
      <NewWallet session={session} onMade={wallets.again} />
      <h2>{say('keys')}</h2>
      <Loading of={keys}>{(found) => <Lines of={found} none={say('noKeys')} named="privateKey" />}</Loading>
    </>
  )
}

type Listed = {
  readonly of: readonly Answered[]
  readonly none: string
  /** How the interface begins the names of their fields. */
  readonly named: 'wallet' | 'privateKey'
}

function Lines({ of, none, named }: Listed) {
  const [count, setCount] = useState(SHOWN_AT_ONCE)
  return (
    <>
      <Cards of={of.slice(0, count)} none={none}>
        {(one) => {
          const id = one.text(`${named}Id`)
          const name = <Name of={one.text(`${named}Name`)} />
          return (
            <li key={id}>
              <span>{named === 'wallet' ? <a href={pathTo('wallets', id)}>{name}</a> : name}</span>
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
      </Cards>
      <More isThere={count < of.length} onMore={() => setCount(count + SHOWN_AT_ONCE)} />
    </>
  )
}

function NewWallet({ session, onMade }: { readonly session: Session; readonly onMade: () => void }) {
  const submitting = useSubmit()
  const [walletName, setName] = useState('')
  const [kind, setKind] = useState<string>(derivations[0].addressFormat)
  const accounts = [nextAccount(kind, new Set())]
  const submit = (): void =>
    submitting.run(() => session.submit('ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts }), onMade)
  return (
    <FoldedForm title={say('add')} onSubmit={submit}>
      <Outcome of={submitting} />
      <TextField label={say('name')} required value={walletName} onText={setName} />
      <KindChoice label={say('first')} value={kind} onChoice={setKind} />
      <button type="submit" class="primary" disabled={submitting.isBusy}>
        {say('create')}
      </button>
    </FoldedForm>
  )
}
