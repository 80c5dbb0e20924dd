import { useState } from 'preact/hooks'
import { FoldedForm } from '../../parts/form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { PublicKeyField } from './public-key-field.tsx'
import { say } from './words.ts'

type Adding = { readonly isBusy: boolean; readonly change: (type: string, parameters: object) => void }

/** An API key of the user by its public half; nobody else sees the private one. */
export function NewKey({ isBusy, change }: Adding) {
  const [apiKeyName, setName] = useState('')
  const [publicKey, setPublicKey] = useState('')
  const submit = (): void => {
    const apiKey = { apiKeyName, publicKey, curveType: 'API_KEY_CURVE_P256' }
    change('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { apiKeys: [apiKey] })
  }
  return (
    <FoldedForm title={say('addKey')} onSubmit={submit}>
      <TextField label={say('keyName')} required value={apiKeyName} onText={setName} />
      <PublicKeyField value={publicKey} onText={setPublicKey} />
      <button type="submit" disabled={isBusy}>
        {say('create')}
      </button>
    </FoldedForm>
  )
}
