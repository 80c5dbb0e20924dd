import { useState } from 'preact/hooks'
import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import { Problem } from '../../parts/problem.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Session } from '../../session/session.ts'
import { say } from './words.ts'

/** A vote names the fingerprint that was computed here of the bytes that are shown, and nothing that the host says. */
export function Vote({ session, checked }: { readonly session: Session; readonly checked: CheckedActivity }) {
  const { fingerprint, refusals, words, host } = checked
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [status, setStatus] = useState<string | undefined>(undefined)
  const action = useAction()
  const isBlind = words.unknowable.length > 0
  const cast = (selection: 'APPROVE' | 'REJECT'): void =>
    action.run(async () => {
      const answer = await session.submit(`ACTIVITY_TYPE_${selection}_ACTIVITY`, {
        fingerprint: fingerprint.text,
      })
      setStatus(answer.text('status'))
    })
  const approve = (): void => {
    const isTyped = typed.replaceAll(' ', '') === fingerprint.digits.replaceAll(' ', '')
    setWrong(isBlind && !isTyped)
    if (!isBlind || isTyped) cast('APPROVE')
  }
  if (status !== undefined)
    return (
      <p class="note good" role="status">
        {say('done', { status })}
      </p>
    )
  return (
    <div class="vote">
      {action.error !== undefined && <Problem error={action.error} />}
      {!host.canApprove && !host.canReject && <p class="note">{say('notMine')}</p>}
      {isBlind && refusals.length === 0 && (
        <TextField
          label={say('typed')}
          hint={say('typedHint')}
          value={typed}
          onText={setTyped}
          inputMode="numeric"
          autocomplete="off"
        />
      )}
      {isWrong && (
        <p class="note bad" role="alert">
          {say('wrongDigits')}
        </p>
      )}
      <div class="row">
        {refusals.length === 0 && (
          <button type="button" class="primary" disabled={action.isBusy} onClick={approve}>
            {say('approve')}
          </button>
        )}
        <button type="button" class="danger" disabled={action.isBusy} onClick={() => cast('REJECT')}>
          {say('reject')}
        </button>
      </div>
      <p class="hint">{say('rejectHint')}</p>
    </div>
  )
}
