import { useState } from 'preact/hooks'
import { Choice } from '../../../parts/choice.tsx'
import { FoldedForm } from '../../../parts/form.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { Ticks } from '../../../parts/ticks.tsx'
import { say } from './words.ts'

type Inviting = {
  readonly tagNames: ReadonlyMap<string, string>
  readonly senderUserId: string
  readonly isBusy: boolean
  readonly onWritten: (invitation: object) => void
}

export function NewInvitation({ tagNames, senderUserId, isBusy, onWritten }: Inviting) {
  const [receiverUserName, setName] = useState('')
  const [receiverUserEmail, setEmail] = useState('')
  const [access, setAccess] = useState<'WEB' | 'API' | 'ALL'>('WEB')
  const [receiverUserTags, setTags] = useState<readonly string[]>([])
  const submit = (): void => {
    const accessType = `ACCESS_TYPE_${access}`
    onWritten({ receiverUserName, receiverUserEmail, receiverUserTags, accessType, senderUserId })
  }
  return (
    <FoldedForm title={say('add')} onSubmit={submit}>
      <TextField label={say('name')} required value={receiverUserName} onText={setName} />
      <TextField label={say('email')} type="email" required value={receiverUserEmail} onText={setEmail} />
      <Choice
        label={say('access')}
        value={access}
        options={[
          ['WEB', say('WEB')],
          ['API', say('API')],
          ['ALL', say('ALL')],
        ]}
        onChoice={setAccess}
      />
      {tagNames.size > 0 && (
        <Ticks
          legend={say('tags')}
          of={[...tagNames].map(([id, name]) => ({ id, name }))}
          ticked={receiverUserTags}
          onTicked={setTags}
        />
      )}
      <button type="submit" class="primary" disabled={isBusy}>
        {say('invite')}
      </button>
    </FoldedForm>
  )
}
