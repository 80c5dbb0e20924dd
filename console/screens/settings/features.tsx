import { useState } from 'preact/hooks'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Form } from '../../parts/form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { membersOf } from '../../parts/members-of.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { Outdated } from '../../parts/outdated.tsx'
import { useCurrent } from '../../parts/use-current.ts'
import { LongTextField } from '../../parts/text-field.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { type Submitting, useSubmit } from '../../parts/use-submit.ts'
import type { Members } from '../../parts/ways-in.ts'
import type { Session } from '../../session/session.ts'
import { called } from '../../words/plain-text.ts'
import { KNOWN_FEATURES, type KnownFeature, leavesOut, shutOutWithout } from './known-features.ts'
import { say } from './words.ts'

/** What is switched on for the organization. Before something is switched off, the page says whom it shuts out. */
export function Features({ session }: { readonly session: Session }) {
  const submitting = useSubmit()
  const loaded = useLoaded(async () => await featuresOf(session), [session])
  // A change names the whole value, such as all origins.
  const current = useCurrent()
  const change = (shown: string | undefined, type: string, parameters: Change): void =>
    current.run(
      async () => (await featuresOf(session)).values.get(parameters.name) === shown,
      () => submitting.run(() => session.submit(type, parameters), loaded.again),
      loaded.again,
    )
  return (
    <section>
      <h2>{say('features')}</h2>
      <Outcome of={submitting} />
      <Outdated of={current} text={say('outdated')} />
      <Loading of={loaded}>
        {({ members, values }) => (
          <ul class="cards">
            {KNOWN_FEATURES.map((feature) => (
              <OneFeature
                key={`${feature.name} ${values.get(feature.name)}`}
                feature={feature}
                value={values.get(feature.name)}
                members={members}
                isBusy={current.isBusy || submitting.isBusy}
                change={(type, parameters) => change(values.get(feature.name), type, parameters)}
              />
            ))}
          </ul>
        )}
      </Loading>
    </section>
  )
}

type Change = { readonly name: string; readonly value?: string }

type Showing = {
  readonly feature: KnownFeature
  /** Undefined where the feature is off. */
  readonly value: string | undefined
  readonly members: Members
  readonly isBusy: Submitting['isBusy']
  readonly change: (type: string, parameters: Change) => void
}

function OneFeature({ feature, value, members, isBusy, change }: Showing) {
  const { name, word, value: valueWord } = feature
  const [written, setWritten] = useState(value ?? '')
  const isOn = value !== undefined
  return (
    <li>
      <span>{say(word)}</span>
      <span class={isOn ? 'badge good' : 'badge'}>{say(isOn ? 'on' : 'off')}</span>
      <Form
        class="whole"
        onSubmit={() => change('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: written })}
      >
        {valueWord !== undefined && (
          <LongTextField label={say(valueWord)} required rows={2} value={written} onText={setWritten} />
        )}
        {name === 'FEATURE_NAME_WEBAUTHN_ORIGINS' &&
          written !== '' &&
          leavesOut(written, location.origin) && (
            <p class="note bad" role="alert">
              {say('leavesOut', { origin: location.origin })}
            </p>
          )}
        {(valueWord !== undefined || !isOn) && (
          <button type="submit" disabled={isBusy || written === value}>
            {say(valueWord === undefined ? 'switchOn' : 'set')}
          </button>
        )}
        {isOn && (
          <Confirmed
            label={say('switchOff')}
            isBusy={isBusy}
            onConfirmed={() => change('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', { name })}
          >
            <ShutOut members={members} feature={name} />
          </Confirmed>
        )}
      </Form>
    </li>
  )
}

function ShutOut({ members, feature }: { readonly members: Members; readonly feature: string }) {
  const shutOut = shutOutWithout(members, feature)
  if (shutOut.length === 0) return <p>{say('shutsOutNobody')}</p>
  const names = shutOut.map((user) => called(user.text('userName'), user.text('userId'))).join(', ')
  return <p>{say('shutsOut', { names })}</p>
}

async function featuresOf(session: Session) {
  const [members, configs] = await Promise.all([
    membersOf(session),
    session.query('get_organization_configs'),
  ])
  const known = configs.object('configs')
  const all = [...known.list('features'), ...known.listOrNone('serviceFeatures')]
  return {
    members,
    values: new Map(all.map((feature) => [feature.text('name'), feature.textOrNone('value')])),
  }
}
