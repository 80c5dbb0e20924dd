import { LongCards } from '../../parts/long-cards.tsx'
import { Name } from '../../parts/name.tsx'
import type { ContractFunction } from './functions-in.ts'
import { say } from './words.ts'

/** What an interface lets policies name. */
export function FunctionList({ of }: { readonly of: readonly ContractFunction[] }) {
  return (
    <>
      <h2>{say('functions', { count: of.length })}</h2>
      <LongCards of={of} none={say('noFunctions')}>
        {({ id, name, inputs, accounts }) => (
          <li key={id}>
            <code>
              <Name of={`${name}(${inputs.join(', ')})`} />
            </code>
            <span class="id">{id}</span>
            {accounts.length > 0 && (
              <span class="faint">
                {say('accounts')} <Name of={accounts.join(', ')} />
              </span>
            )}
          </li>
        )}
      </LongCards>
    </>
  )
}
