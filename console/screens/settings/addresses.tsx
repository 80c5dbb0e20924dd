import { useState } from 'preact/hooks'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { Outdated } from '../../parts/outdated.tsx'
import { LongTextField } from '../../parts/text-field.tsx'
import { useCurrent } from '../../parts/use-current.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { letsIn, networkOf, rulesIn } from './ip-rules.ts'
import { say } from './words.ts'

/** From which addresses credentials may be used. A list that would shut out this very session says so before it is sent. */
export function Addresses({ session }: { readonly session: Session }) {
  const submitting = useSubmit()
  const loaded = useLoaded(async () => {
    const [list, own] = await Promise.all([
      session.query('get_ip_allowlist'),
      session.query('get_client_address'),
    ])
    return { list: list.object('allowlist'), address: own.textOrNone('clientAddress') }
  }, [session])
  // A change names all networks: one from an older list would let in again what was taken out of it meanwhile.
  const current = useCurrent()
  const change = (shown: Answered, parameters: object): void =>
    current.run(
      async () => {
        const now = (await session.query('get_ip_allowlist')).object('allowlist')
        return keyOf(now) === keyOf(shown)
      },
      () => submitting.run(() => session.submit('ACTIVITY_TYPE_SET_IP_ALLOWLIST', parameters), loaded.again),
      loaded.again,
    )
  return (
    <section>
      <h2>{say('addresses')}</h2>
      <p>{say('addressesWhy')}</p>
      <Outcome of={submitting} />
      <Outdated of={current} text={say('outdated')} />
      <Loading of={loaded}>
        {({ list, address }) => (
          <ListForm
            key={keyOf(list)}
            list={list}
            address={address}
            isBusy={current.isBusy || submitting.isBusy}
            change={(parameters) => change(list, parameters)}
          />
        )}
      </Loading>
    </section>
  )
}

type Editing = {
  readonly list: Answered
  /** Empty where the service does not know where this page asks from. */
  readonly address: string
  readonly isBusy: boolean
  readonly change: (parameters: object) => void
}

/** The whole of a list, as it is saved. */
function keyOf(list: Answered): string {
  return JSON.stringify(list.value)
}

function ListForm({ list, address, isBusy, change }: Editing) {
  const [text, setText] = useState(textOf(list))
  const [enabled, setEnabled] = useState(list.flag('enabled'))
  const { rules, problems } = rulesIn(text)
  const onEvaluationError = list.textOrNone('onEvaluationError') === 'ALLOW' ? 'ALLOW' : 'DENY'
  const shutsOut = !letsIn({ enabled, rules, onEvaluationError }, address)
  return (
    <>
      <p>{address === '' ? say('addressUnknown') : say('address', { address })}</p>
      <LongTextField label={say('rules')} hint={say('rulesHint')} value={text} onText={setText} />
      {problems.map(({ line, because }) => (
        <p key={line} class="note bad" role="alert">
          {say('wrongRule', { line, because })}
        </p>
      ))}
      <div class="row">
        {address !== '' && (
          <button
            type="button"
            onClick={() => setText(`${text.trimEnd()}\n${networkOf(address)}`.trimStart())}
          >
            {say('addOwn')}
          </button>
        )}
      </div>
      <label class="tick">
        <input
          type="checkbox"
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />{' '}
        {say('inForce')}
      </label>
      {shutsOut && (
        <p class="note bad" role="alert">
          {rules.length === 0 ? say('shutsOutAll') : say('shutsOutYou', { address })}
        </p>
      )}
      {problems.length === 0 && (
        <Confirmed
          label={say('setAddresses')}
          isBusy={isBusy}
          onConfirmed={() => change({ enabled, rules, onEvaluationError })}
        >
          <p>{say(shutsOut ? 'noWayBack' : enabled ? 'bindsAll' : 'bindsNobody')}</p>
        </Confirmed>
      )}
    </>
  )
}

/** The list as it is written here. A label is shown in one line, with what cannot be seen by its number. */
function textOf(list: Answered): string {
  return list
    .list('rules')
    .map((rule) => `${rule.text('cidr')} ${plainText(rule.textOrNone('label'))}`.trim())
    .join('\n')
}
