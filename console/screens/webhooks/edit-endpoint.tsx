import { useState } from 'preact/hooks'
import { FoldedForm } from '../../parts/form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import type { Answered } from '../../service/answered.ts'
import { say } from './words.ts'

type Editing = {
  readonly endpoint: Answered
  readonly isBusy: boolean
  readonly onWritten: (parameters: object) => void
}

/** The name and the address; only what differs is sent. */
export function EditEndpoint({ endpoint, isBusy, onWritten }: Editing) {
  const before = { name: endpoint.text('name'), url: endpoint.text('url') }
  const [name, setName] = useState(before.name)
  const [url, setUrl] = useState(before.url)
  const changed = {
    ...(name === before.name ? {} : { name }),
    ...(url === before.url ? {} : { url }),
  }
  return (
    <FoldedForm title={say('edit')} onSubmit={() => onWritten(changed)}>
      <TextField label={say('name')} required value={name} onText={setName} />
      <TextField label={say('url')} hint={say('urlHint')} type="url" required value={url} onText={setUrl} />
      {url !== before.url && (
        <p class="note warn" role="status">
          {say('urlChanges')}
        </p>
      )}
      <button type="submit" disabled={isBusy || Object.keys(changed).length === 0}>
        {say('save')}
      </button>
    </FoldedForm>
  )
}
