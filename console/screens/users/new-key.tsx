import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { say } from './words.ts'

type Adding = { readonly isBusy: boolean; readonly change: (type: string, parameters: object) => void }

/** An API key of the user by its public half; nobody else sees the private one. */
export function NewKey({ isBusy, change }: Adding) {
  const [apiKeyName, setName] = useState('')
  const [publicKey, setPublicKey] = useState('')
  return (
    <details>
      <summary>{say('addKey')}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const apiKey = { apiKeyName, publicKey, curveType: 'API_KEY_CURVE_P256' }
          change('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { apiKeys: [apiKey] })
        }}
      >
        <Field label={say('keyName')}>
          {(attributes) => (
            <input
              {...attributes}
              required
              value={apiKeyName}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={say('keyOfUser')}>
          {(attributes) => (
            <input
              {...attributes}
              class="id"
              required
              pattern="0[23][0-9a-fA-F]{64}"
              value={publicKey}
              onInput={(event) => setPublicKey(event.currentTarget.value.trim())}
            />
          )}
        </Field>
        <button type="submit" disabled={isBusy}>
          {say('create')}
        </button>
      </form>
    </details>
  )
}
