import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { CURVES } from './credential.ts'
import { PublicKeyField } from './public-key-field.tsx'
import { say } from './words.ts'

type Adding = { readonly isBusy: boolean; readonly change: (type: string, parameters: object) => void }

/** Days after which a key ends by itself; none where it never does. */
const DAYS = ['', '1', '30', '90', '365'] as const

/** An API key of the user by its public half; nobody else sees the private one. */
export function NewKey({ isBusy, change }: Adding) {
  const [apiKeyName, setName] = useState('')
  const [curveType, setCurve] = useState<(typeof CURVES)[number]['curveType']>(CURVES[0].curveType)
  const [publicKey, setPublicKey] = useState('')
  const [days, setDays] = useState<(typeof DAYS)[number]>('')
  const submit = (): void => {
    const ends = days === '' ? {} : { expirationSeconds: String(Number(days) * DAY_SECONDS) }
    const apiKey = { apiKeyName, publicKey, curveType, ...ends }
    change('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { apiKeys: [apiKey] })
  }
  return (
    <FoldedForm title={say('addKey')} onSubmit={submit}>
      <TextField label={say('keyName')} required value={apiKeyName} onText={setName} />
      <Choice
        label={say('curve')}
        value={curveType}
        options={CURVES.map((one) => [one.curveType, one.name])}
        onChoice={setCurve}
      />
      <PublicKeyField curveType={curveType} value={publicKey} onText={setPublicKey} />
      <Choice
        label={say('endsWhen')}
        hint={say('endsHint')}
        value={days}
        options={DAYS.map((one) => [one, one === '' ? say('never') : say('inDays', { count: Number(one) })])}
        onChoice={setDays}
      />
      <button type="submit" disabled={isBusy}>
        {say('create')}
      </button>
    </FoldedForm>
  )
}

const DAY_SECONDS = 24 * 60 * 60
