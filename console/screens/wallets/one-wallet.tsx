import { useState } from 'preact/hooks'
import { BackTo } from '../../parts/back-to.tsx'
import { Facts } from '../../parts/facts.tsx'
import { firstPages } from '../../parts/first-pages.ts'
import { Id } from '../../parts/id.tsx'
import { ifThere } from '../../parts/if-there.ts'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { timeOf } from '../../parts/time-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { Accounts } from './accounts.tsx'
import { DeleteForGood } from './delete-for-good.tsx'
import { Origin } from './origin.tsx'
import { RenameWallet } from './rename-wallet.tsx'
import { say } from './words.ts'

const PAGE = 100
const SHOWN_AT_ONCE = 50

/** A wallet with its accounts: how it is changed, and its end. */
export function OneWallet({ session, walletId }: { readonly session: Session; readonly walletId: string }) {
  const submitting = useSubmit()
  const [shown, setShown] = useState(SHOWN_AT_ONCE)
  const pages = Math.ceil(shown / PAGE)
  const loaded = useLoaded(() => ifThere(found(session, walletId, pages)), [session, walletId, pages])
  const { isBusy } = submitting
  const change = (type: string, parameters: object): void =>
    submitting.run(() => session.submit(type, parameters), loaded.again)
  return (
    <Loading of={loaded}>
      {(known) => (
        <>
          <h1>{known === undefined ? say('walletGone') : <Name of={known.wallet.text('walletName')} />}</h1>
          <BackTo path="wallets" label={say('back')} />
          <Outcome of={submitting} />
          {known !== undefined && (
            <>
              <Facts
                of={[
                  [say('id'), <Id key="id" of={walletId} />],
                  [say('created'), timeOf(known.wallet, 'createdAt')],
                ]}
              />
              <Origin of={known.wallet} />
              <RenameWallet
                key={known.wallet.text('walletName')}
                name={known.wallet.text('walletName')}
                isBusy={isBusy}
                onRenamed={(walletName) => change('ACTIVITY_TYPE_UPDATE_WALLET', { walletId, walletName })}
              />
              <Accounts
                accounts={known.accounts}
                shown={shown}
                onMore={
                  known.hasMore || shown < known.accounts.length
                    ? () => setShown(shown + SHOWN_AT_ONCE)
                    : undefined
                }
                submitting={submitting}
                onMade={(account) =>
                  change('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', { walletId, accounts: [account] })
                }
                onRemoved={(id) =>
                  // The words of the wallet stay, and with them what the account could sign.
                  change('ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS', {
                    walletAccountIds: [id],
                    deleteWithoutExport: true,
                  })
                }
              />
              <DeleteForGood
                label={say('removeWallet')}
                id={walletId}
                of={known.wallet}
                isBusy={isBusy}
                onConfirmed={(parameters) =>
                  change('ACTIVITY_TYPE_DELETE_WALLETS', { walletIds: [walletId], ...parameters })
                }
              >
                <p>{say('removeWalletWhy')}</p>
              </DeleteForGood>
            </>
          )}
        </>
      )}
    </Loading>
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
