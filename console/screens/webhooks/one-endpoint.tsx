import { BackTo } from '../../parts/back-to.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { type Submitting, useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { Deliveries } from './deliveries.tsx'
import { EditEndpoint } from './edit-endpoint.tsx'
import { hears } from './hears.ts'
import { say } from './words.ts'

type Showing = {
  readonly session: Session
  readonly endpointId: string
  /** Undefined where there is none with this id. */
  readonly endpoint: Answered | undefined
  readonly again: () => void
}

/** An endpoint: what it hears of, how it is changed, and what waits for it. */
export function OneEndpoint({ session, endpointId, endpoint, again }: Showing) {
  const submitting = useSubmit()
  const change = (type: string, parameters: object): void =>
    submitting.run(() => session.submit(type, { endpointId, ...parameters }), again)
  return (
    <>
      <h1>{endpoint === undefined ? say('gone') : <Name of={endpoint.text('name')} />}</h1>
      <BackTo path="webhooks" label={say('back')} />
      <Outcome of={submitting} />
      {endpoint !== undefined && (
        <>
          <Told endpoint={endpoint} />
          <Changes endpoint={endpoint} submitting={submitting} change={change} />
          <Deliveries session={session} endpointId={endpointId} />
        </>
      )}
    </>
  )
}

function Told({ endpoint }: { readonly endpoint: Answered }) {
  const subscriptions = endpoint.list('subscriptions').filter((one) => one.flag('isActive'))
  const events = subscriptions.map((one) => one.text('eventType'))
  return (
    <Facts
      of={[
        [say('url'), <Name key="url" of={endpoint.text('url')} />],
        [say('state'), say(hears(endpoint) ? 'active' : endpoint.flag('isActive') ? 'silent' : 'paused')],
        [say('events'), plainText(events.join(', '))],
        [say('id'), <Id key="id" of={endpoint.text('endpointId')} />],
      ]}
    />
  )
}

type Changing = {
  readonly endpoint: Answered
  readonly submitting: Submitting
  readonly change: (type: string, parameters: object) => void
}

function Changes({ endpoint, submitting: { isBusy }, change }: Changing) {
  const isActive = endpoint.flag('isActive')
  return (
    <>
      <EditEndpoint
        key={endpoint.text('name') + endpoint.text('url')}
        endpoint={endpoint}
        isBusy={isBusy}
        onWritten={(parameters) => change('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', parameters)}
      />
      <div class="row">
        {isActive ? (
          <Confirmed
            label={say('pause')}
            isBusy={isBusy}
            onConfirmed={() => change('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', { isActive: false })}
          >
            <p>{say('pauseWhy')}</p>
          </Confirmed>
        ) : (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => change('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', { isActive: true })}
          >
            {say('resume')}
          </button>
        )}
        <Confirmed
          label={say('remove')}
          isBusy={isBusy}
          onConfirmed={() => change('ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT', {})}
        >
          <p>{say('removeWhy')}</p>
        </Confirmed>
      </div>
    </>
  )
}
