import { pathTo } from './path-to.ts'
import { Problem } from './problem.tsx'
import { Status } from './status.tsx'
import type { Submitting } from './use-submit.ts'
import { say } from './words.ts'

/** What came of the last change: carried out, waiting for others, or why not. */
export function Outcome({
  of: { error, activity },
}: {
  readonly of: Pick<Submitting, 'error' | 'activity'>
}) {
  if (error !== undefined) return <Problem error={error} />
  if (activity === undefined) return null
  const status = activity.text('status')
  const failure = activity.has('failure') ? activity.object('failure').textOrNone('message') : ''
  return (
    <div class={`note ${status === 'ACTIVITY_STATUS_COMPLETED' ? 'good' : 'warn'}`} role="status">
      <p>
        <Status of={status} /> {failure !== '' && say('refused', { message: failure })}{' '}
        <a href={pathTo('activities', activity.text('id'))}>{say('activity')}</a>
      </p>
    </div>
  )
}
