import type { CheckedActivity } from '../../../src/host/approval/checked-activity.ts'
import { pathTo } from '../../parts/path-to.ts'
import { Status } from '../../parts/status.tsx'
import { say as part } from '../../parts/words.ts'
import { say } from './words.ts'

/** A vote that was cast here, and what the service made of it. */
export type Cast = {
  /** Of the bytes that it was on. */
  readonly fingerprint: string
  readonly activityId: string
  readonly status: string
  /** Whether the vote is among those that the service has counted. */
  readonly isCounted: boolean
}

/** What came of the vote, in words. All of it is the word of the service, unless other bytes stand above than were voted on. */
export function CastNote({
  of: { fingerprint, activityId, status, isCounted },
  on: { fingerprint: shown, words },
}: {
  readonly of: Cast
  readonly on: CheckedActivity
}) {
  if (fingerprint !== shown.text)
    return (
      <p class="note bad" role="alert">
        {say('another')}
      </p>
    )
  const { tone, word } = OUTCOMES[status] ?? {}
  const isSigned = word === 'done' && words.type.startsWith('ACTIVITY_TYPE_SIGN_TRANSACTION')
  const text = isSigned ? 'signed' : word
  return (
    <p class={`note ${(isCounted && tone) || 'bad'}`} role="status">
      {isCounted && text !== undefined ? (
        say(text)
      ) : (
        <>
          {!isCounted && say('tooLate')} <Status of={status} />
        </>
      )}{' '}
      <a href={pathTo('activities', activityId)}>{part('activity')}</a>
    </p>
  )
}

const OUTCOMES: {
  readonly [status: string]: { readonly tone: string; readonly word: Parameters<typeof say>[0] } | undefined
} = {
  ACTIVITY_STATUS_COMPLETED: { tone: 'good', word: 'done' },
  ACTIVITY_STATUS_CONSENSUS_NEEDED: { tone: 'good', word: 'counts' },
  ACTIVITY_STATUS_REJECTED: { tone: 'warn', word: 'isRejected' },
}
