import { useState } from 'preact/hooks'
import { FoldedForm } from '../../parts/form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { say } from './words.ts'

type Renaming = {
  /** As it is. */
  readonly name: string
  readonly isBusy: boolean
  readonly onRenamed: (walletName: string) => void
}

export function RenameWallet({ name, isBusy, onRenamed }: Renaming) {
  const [walletName, setName] = useState(name)
  return (
    <FoldedForm title={say('rename')} onSubmit={() => onRenamed(walletName)}>
      <TextField label={say('name')} hint={say('renameHint')} required value={walletName} onText={setName} />
      <button type="submit" disabled={isBusy || walletName === name}>
        {say('save')}
      </button>
    </FoldedForm>
  )
}
