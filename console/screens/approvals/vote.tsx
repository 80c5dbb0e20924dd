import { useState } from 'preact/hooks'
import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import { Confirmed } from '../../parts/confirmed.tsx'
import { deliberate } from '../../parts/deliberate.ts'
import { Problem } from '../../parts/problem.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Session } from '../../session/session.ts'
import type { Cast } from './cast-note.tsx'
import { say } from './words.ts'

type VoteProps = {
  readonly session: Session
  readonly checked: CheckedActivity
  readonly onCast: (cast: Cast) => void
}

/** A vote names the fingerprint that was computed here of the bytes that are shown, and nothing that the host says. */
export function Vote({ session, checked: { fingerprint, refusals, words, host }, onCast }: VoteProps) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const action = useAction()
  const isBlind = words.unknowable.length > 0
  const mayApprove = host.canApprove && refusals.length === 0
  const cast = (choice: 'APPROVE' | 'REJECT'): void =>
    action.run(async () => {
      const answer = await session.submit(`ACTIVITY_TYPE_${choice}_ACTIVITY`, {
        fingerprint: fingerprint.text,
      })
      const selection = choice === 'APPROVE' ? 'VOTE_SELECTION_APPROVED' : 'VOTE_SELECTION_REJECTED'
      const isMine = (vote: (typeof votes)[number]): boolean =>
        vote.text('userId') === session.userId && vote.text('selection') === selection
      const votes = answer.list('votes')
      onCast({
        fingerprint: fingerprint.text,
        activityId: answer.text('id'),
        status: answer.text('status'),
        isCounted: votes.some(isMine),
      })
    })
  const approve = (): void => {
    const isTyped = typed.replaceAll(' ', '') === fingerprint.digits.replaceAll(' ', '')
    setWrong(isBlind && !isTyped)
    if (!isBlind || isTyped) cast('APPROVE')
  }
  return (
    <div class="vote">
      {action.error !== undefined && <Problem error={action.error} />}
      {!host.canApprove && <p class="note">{say('notMine')}</p>}
      {isBlind && mayApprove && (
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
        {mayApprove && (
          <button type="button" class="primary" disabled={action.isBusy} onClick={deliberate(approve)}>
            {say('approve')}
          </button>
        )}
        {host.canReject && (
          <Confirmed label={say('reject')} isBusy={action.isBusy} onConfirmed={() => cast('REJECT')}>
            <p>{say('rejectHint')}</p>
          </Confirmed>
        )}
      </div>
    </div>
  )
}
