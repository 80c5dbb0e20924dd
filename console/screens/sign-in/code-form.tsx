import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAction } from '../../parts/use-action.ts'
import { sendCode, type SentCode, signInByCode } from '../../session/mail-code.ts'
import { keptConfigId, keepConfigId } from '../../session/kept-config-id.ts'
import type { Entering } from './key-form.tsx'
import { say } from './words.ts'

/** By mail: through the auth proxy, where the operator has one for this page. */
export function CodeForm({ organization, isBusy, enter }: Entering) {
  const [configId, setConfigId] = useState(keptConfigId())
  const [contact, setContact] = useState('')
  const [code, setCode] = useState('')
  const [sent, setSent] = useState<SentCode | undefined>(undefined)
  const action = useAction()
  const submit = (): void => {
    if (sent !== undefined) return enter((where) => signInByCode(sent, code, where), organization, 'found')
    action.run(async () => {
      setSent(await sendCode(configId, contact))
      keepConfigId(configId)
    })
  }
  return (
    <details>
      <summary>{say('byCode')}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {action.error !== undefined && <Problem error={action.error} />}
        <Field label={say('configId')} hint={say('configIdHint')}>
          {(attributes) => (
            <input
              {...attributes}
              required
              value={configId}
              onInput={(event) => setConfigId(event.currentTarget.value.trim())}
            />
          )}
        </Field>
        <Field label={say('contact')}>
          {(attributes) => (
            <input
              {...attributes}
              type="email"
              required
              value={contact}
              onInput={(event) => {
                setContact(event.currentTarget.value)
                setSent(undefined)
              }}
            />
          )}
        </Field>
        {sent !== undefined && (
          <Field label={say('code')} hint={say('codeHint')}>
            {(attributes) => (
              <input
                {...attributes}
                required
                autocomplete="one-time-code"
                value={code}
                onInput={(event) => setCode(event.currentTarget.value.trim())}
              />
            )}
          </Field>
        )}
        <button type="submit" disabled={isBusy || action.isBusy}>
          {say(sent === undefined ? 'sendCode' : 'codeSubmit')}
        </button>
      </form>
    </details>
  )
}
