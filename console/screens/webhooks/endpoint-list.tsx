import { LongCards } from '../../parts/long-cards.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { say as title } from '../words.ts'
import { hears } from './hears.ts'
import { NewEndpoint } from './new-endpoint.tsx'
import { VerifyingKey } from './verifying-key.tsx'
import { say } from './words.ts'

type Listing = {
  readonly session: Session
  readonly endpoints: readonly Answered[]
  readonly again: () => void
}

/** Every endpoint in a line, a new one, and the key with which receivers verify what they get. */
export function EndpointList({ session, endpoints, again }: Listing) {
  return (
    <>
      <h1>{title('webhooks')}</h1>
      <LongCards of={endpoints} none={say('none')}>
        {(endpoint) => <Line key={endpoint.text('endpointId')} endpoint={endpoint} />}
      </LongCards>
      <NewEndpoint session={session} onMade={again} />
      <VerifyingKey />
    </>
  )
}

function Line({ endpoint }: { readonly endpoint: Answered }) {
  const isHeard = hears(endpoint)
  return (
    <li>
      <a href={pathTo('webhooks', endpoint.text('endpointId'))}>
        <Name of={endpoint.text('name')} />
      </a>
      <span class={`badge ${isHeard ? 'good' : ''}`}>{say(isHeard ? 'active' : 'silent')}</span>
      <span class="faint">
        <Name of={endpoint.text('url')} />
      </span>
    </li>
  )
}
