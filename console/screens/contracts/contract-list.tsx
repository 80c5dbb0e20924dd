import { LongCards } from '../../parts/long-cards.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { say as title } from '../words.ts'
import { kindOf } from './kinds.ts'
import { NewContract } from './new-contract.tsx'
import { say } from './words.ts'

type Listing = {
  readonly session: Session
  readonly interfaces: readonly Answered[]
  readonly again: () => void
}

/** Every interface in a line, and a new one. */
export function ContractList({ session, interfaces, again }: Listing) {
  return (
    <>
      <h1>{title('contracts')}</h1>
      <p>{say('about')}</p>
      <LongCards of={interfaces} none={say('none')}>
        {(one) => <Line key={one.text('smartContractInterfaceId')} one={one} />}
      </LongCards>
      <NewContract session={session} onMade={again} />
    </>
  )
}

function Line({ one }: { readonly one: Answered }) {
  const type = one.text('type')
  const kind = kindOf(type)
  return (
    <li>
      <a href={pathTo('contracts', one.text('smartContractInterfaceId'))}>
        <Name of={one.text('label')} />
      </a>
      <span class="badge">{kind === undefined ? plainText(type) : say(kind.word)}</span>
      <span class="faint">
        <code>
          <Name of={one.text('smartContractAddress')} />
        </code>
      </span>
    </li>
  )
}
