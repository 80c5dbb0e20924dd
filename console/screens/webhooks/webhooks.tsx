import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { EndpointList } from './endpoint-list.tsx'
import { OneEndpoint } from './one-endpoint.tsx'

/** Where events go, and for each endpoint what waits and what was given up. */
export function Webhooks({ session, rest: [endpointId] }: ScreenProps) {
  const loaded = useLoaded(
    async () => (await session.query('list_webhook_endpoints')).list('webhookEndpoints'),
    [session],
  )
  return (
    <Loading of={loaded}>
      {(endpoints) =>
        endpointId === undefined ? (
          <EndpointList session={session} endpoints={endpoints} again={loaded.again} />
        ) : (
          <OneEndpoint
            key={endpointId}
            session={session}
            endpointId={endpointId}
            endpoint={endpoints.find((one) => one.text('endpointId') === endpointId)}
            again={loaded.again}
          />
        )
      }
    </Loading>
  )
}
