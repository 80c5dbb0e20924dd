import { useState } from 'preact/hooks'
import { derivations, nextAccount } from '../../parts/derivations.ts'
import { FoldedForm } from '../../parts/form.tsx'
import { KindChoice } from '../../parts/kind-choice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { say } from './words.ts'

/** The words of a wallet are made in the vault; nobody sees them before they are exported. */
export function NewWallet({ session, onMade }: { readonly session: Session; readonly onMade: () => void }) {
  const submitting = useSubmit()
  const [walletName, setName] = useState('')
  const [kind, setKind] = useState<string>(derivations[0].addressFormat)
  const accounts = [nextAccount(kind, new Set())]
  const submit = (): void =>
    submitting.run(() => session.submit('ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts }), onMade)
  return (
    <FoldedForm title={say('add')} onSubmit={submit}>
      <Outcome of={submitting} />
      <TextField label={say('name')} required value={walletName} onText={setName} />
      <KindChoice label={say('first')} value={kind} onChoice={setKind} />
      <button type="submit" class="primary" disabled={submitting.isBusy}>
        {say('create')}
      </button>
    </FoldedForm>
  )
}
