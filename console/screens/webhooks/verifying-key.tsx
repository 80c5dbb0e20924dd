import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { discoveredKey } from '../../service/discovered-key.ts'
import { say } from './words.ts'

/** With what receivers verify an event. There is no secret for each endpoint: the service signs all events with one key. */
export function VerifyingKey() {
  const loaded = useLoaded(() => discoveredKey('webhook'), [])
  return (
    <section>
      <h2>{say('verify')}</h2>
      <p>{say('verifyWhy')}</p>
      <Loading of={loaded}>
        {(key) => (
          <p>
            <Id of={key} />
          </p>
        )}
      </Loading>
      <p class="hint">{say('verifyWhere', { path: JWKS })}</p>
    </section>
  )
}

const JWKS = '/public/v1/discovery/webhooks/jwks'
