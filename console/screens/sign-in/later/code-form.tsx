import { useState } from 'preact/hooks'
import { Form } from '../../../parts/form.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { sendCode, type SentCode, signInByCode } from '../../../session/mail-code.ts'
import { keptConfigId, keepConfigId } from '../../../session/kept-config-id.ts'
import type { Enter } from '../enter.ts'
import { say } from './words.ts'

type Entering = { readonly organization: string; readonly isBusy: boolean; readonly enter: Enter }

/** By mail: through the auth proxy, where the operator has one for this page. */
export function CodeForm({ organization, isBusy, enter }: Entering) {
  const [configId, setConfigId] = useState(keptConfigId())
  const [contact, setContact] = useState('')
  const [code, setCode] = useState('')
  const [sent, setSent] = useState<SentCode | undefined>(undefined)
  const action = useAction()
  const send = (): void =>
    action.run(async () => {
      setSent(await sendCode(configId, contact))
      setCode('')
      keepConfigId(configId)
    })
  const submit = (): void => {
    if (sent === undefined) send()
    else enter((where) => signInByCode(sent, code, where), organization, 'found')
  }
  return (
    <Form onSubmit={submit}>
      {action.error !== undefined && <Problem error={action.error} />}
      <TextField
        label={say('configId')}
        hint={say('configIdHint')}
        required
        value={configId}
        onText={(text) => setConfigId(text.trim())}
      />
      <TextField
        label={say('contact')}
        type="email"
        required
        value={contact}
        onText={(text) => {
          setContact(text)
          setSent(undefined)
        }}
      />
      {sent !== undefined && (
        <TextField
          label={say('code')}
          hint={say('codeHint')}
          required
          autocomplete="one-time-code"
          value={code}
          onText={(text) => setCode(text.trim())}
        />
      )}
      <button type="submit" disabled={isBusy || action.isBusy}>
        {say(sent === undefined ? 'sendCode' : 'codeSubmit')}
      </button>
      {sent !== undefined && (
        // A code may have lapsed, or been taken by a try whose answer was lost.
        <button type="button" disabled={isBusy || action.isBusy} onClick={send}>
          {say('anotherCode')}
        </button>
      )}
    </Form>
  )
}
