import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { derivations, nextAccount } from '../../parts/derivations.ts'
import { Form } from '../../parts/form.tsx'
import { KindChoice } from '../../parts/kind-choice.tsx'
import { More } from '../../parts/more.tsx'
import { Name } from '../../parts/name.tsx'
import type { Submitting } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import { plainText } from '../../words/plain-text.ts'
import { shortName } from './address-formats.ts'
import { NewAccount } from './new-account.tsx'
import { say } from './words.ts'

type Listing = {
  /** What was loaded of them, newest first. */
  readonly accounts: readonly Answered[]
  readonly shown: number
  readonly onMore: (() => void) | undefined
  readonly submitting: Submitting
  readonly onMade: (account: object) => void
  readonly onRemoved: (walletAccountId: string) => void
}

/** The accounts of a wallet; the next one is at the first path that none of those loaded has. */
export function Accounts({ accounts, shown, onMore, submitting, onMade, onRemoved }: Listing) {
  const [kind, setKind] = useState<string>(derivations[0].addressFormat)
  const { isBusy } = submitting
  const derive = (): void =>
    onMade(nextAccount(kind, new Set(accounts.map((account) => account.text('path')))))
  return (
    <>
      <h2>{say('accounts')}</h2>
      <Form class="row" onSubmit={derive}>
        <KindChoice label={say('kind')} value={kind} onChoice={setKind} />
        <button type="submit" disabled={isBusy}>
          {say('derive')}
        </button>
      </Form>
      <NewAccount isBusy={isBusy} onMade={onMade} />
      <Cards of={accounts.slice(0, shown)} none={say('noAccounts')}>
        {(account) => {
          const id = account.text('walletAccountId')
          return <Line key={id} account={account} isBusy={isBusy} onRemoved={() => onRemoved(id)} />
        }}
      </Cards>
      <More isThere={onMore !== undefined} onMore={() => onMore?.()} />
    </>
  )
}

type Listed = { readonly account: Answered; readonly isBusy: boolean; readonly onRemoved: () => void }

function Line({ account, isBusy, onRemoved }: Listed) {
  return (
    <li>
      <span>
        <code>
          <Name of={account.text('address')} />
        </code>
        <br />
        <code>
          <Name of={account.text('path')} />
        </code>
      </span>
      <Confirmed label={say('removeAccount')} isBusy={isBusy} onConfirmed={onRemoved}>
        <p>{say('removeAccountWhy', { address: account.text('address') })}</p>
      </Confirmed>
      <span class="faint">
        {plainText(shortName(account.text('addressFormat')))}{' '}
        {account.textOrNone('name') !== '' && <Name of={account.text('name')} />}
      </span>
    </li>
  )
}
