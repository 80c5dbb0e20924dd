import { Cards } from '../../parts/cards.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { ScreenProps } from '../screen.ts'
import { Deliveries } from './deliveries.tsx'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** Where events go, and for each endpoint what waits and what was given up. */
export function Webhooks({ session, rest: [endpointId] }: ScreenProps) {
  const loaded = useLoaded(
    async () => (await session.query('list_webhook_endpoints')).list('webhookEndpoints'),
    [session],
  )
  return (
    <>
      <h1>{endpointId === undefined ? title('webhooks') : say('one')}</h1>
      <Loading of={loaded}>
        {(endpoints) =>
          endpointId === undefined ? (
            <Cards of={endpoints} none={say('none')}>
              {(endpoint) => <Line key={endpoint.text('endpointId')} endpoint={endpoint} />}
            </Cards>
          ) : (
            <Deliveries
              session={session}
              endpointId={endpointId}
              endpoint={endpoints.find((one) => one.text('endpointId') === endpointId)}
            />
          )
        }
      </Loading>
    </>
  )
}

function Line({ endpoint }: { readonly endpoint: Answered }) {
  const isActive =
    endpoint.flag('isActive') && endpoint.list('subscriptions').some((one) => one.flag('isActive'))
  return (
    <li>
      <a href={pathTo('webhooks', endpoint.text('endpointId'))}>
        <Name of={endpoint.text('name')} />
      </a>
      <span class={`badge ${isActive ? 'good' : ''}`}>{say(isActive ? 'active' : 'silent')}</span>
      <span class="faint">
        <Name of={endpoint.text('url')} />
      </span>
    </li>
  )
}
