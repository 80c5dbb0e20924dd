import { useState } from 'preact/hooks'
import { BackTo } from '../../parts/back-to.tsx'
import { Cards } from '../../parts/cards.tsx'
import { Facts } from '../../parts/facts.tsx'
import { firstPages } from '../../parts/first-pages.ts'
import { Form } from '../../parts/form.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { More } from '../../parts/more.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { derivations, nextAccount } from '../../parts/derivations.ts'
import { KindChoice } from '../../parts/kind-choice.tsx'
import { Origin } from './origin.tsx'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

const PAGE = 100

/** A wallet with its accounts, newest first; the next one is at the first path that none of those shown has. */
export function OneWallet({ session, walletId }: { readonly session: Session; readonly walletId: string }) {
  const submitting = useSubmit()
  const [pages, setPages] = useState(1)
  const [kind, setKind] = useState<string>(derivations[0].addressFormat)
  const loaded = useLoaded(() => found(session, walletId, pages), [session, walletId, pages])
  return (
    <Loading of={loaded}>
      {({ wallet, accounts, hasMore }) => (
        <>
          <h1>
            <Name of={wallet.text('walletName')} />
          </h1>
          <BackTo path="wallets" label={say('back')} />
          <Outcome of={submitting} />
          <Facts
            of={[
              [say('id'), <Id key="id" of={walletId} />],
              [say('created'), timeOf(wallet, 'createdAt')],
            ]}
          />
          <Origin of={wallet} />
          <h2>{say('accounts')}</h2>
          <Form
            class="row"
            onSubmit={() => {
              const paths = new Set(accounts.map((account) => account.text('path')))
              const parameters = { walletId, accounts: [nextAccount(kind, paths)] }
              submitting.run(
                () => session.submit('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', parameters),
                loaded.again,
              )
            }}
          >
            <KindChoice label={say('kind')} value={kind} onChoice={setKind} />
            <button type="submit" disabled={submitting.isBusy}>
              {say('derive')}
            </button>
          </Form>
          <Cards of={accounts} none={say('noAccounts')}>
            {(account) => <Line key={account.text('walletAccountId')} account={account} />}
          </Cards>
          <More isThere={hasMore} onMore={() => setPages(pages + 1)} />
        </>
      )}
    </Loading>
  )
}

function Line({ account }: { readonly account: Answered }) {
  return (
    <li>
      <code>
        <Name of={account.text('address')} />
      </code>
      <code>
        <Name of={account.text('path')} />
      </code>
      <span class="faint">
        {plainText(account.text('addressFormat').replace('ADDRESS_FORMAT_', ''))}{' '}
        {account.textOrNone('name') !== '' && <Name of={account.text('name')} />}
      </span>
    </li>
  )
}

async function found(session: Session, walletId: string, pages: number) {
  const wallet = (await session.query('get_wallet', { walletId })).object('wallet')
  const { items, hasMore } = await firstPages(pages, async (after) => {
    const paginationOptions = { limit: String(PAGE), ...after }
    const answer = await session.query('list_wallet_accounts', { walletId, paginationOptions })
    const accounts = answer.list('accounts')
    const last = accounts.length === PAGE ? accounts.at(-1)?.text('walletAccountId') : undefined
    return { items: accounts, next: last ?? '' }
  })
  return { wallet, accounts: items, hasMore }
}
