import { CommandError } from '../command-error.ts'
import { activityIn } from '../signed-activity.ts'
import { printable } from '../policies/printable.ts'
import { ServiceRefusal, signedRequest, TooManyRequests } from '../signed-query.ts'
import { waitingActivities } from './organization.ts'
import { waitingText } from './step.ts'
import type { LocatedAgent } from './located.ts'
import type { Terminal } from './terminal.ts'

type Rejection = { readonly activityId: string; readonly rejected: boolean }

/** Rejects the agent's waiting requests, so that no later approval carries them out. */
export async function rejectWaiting(
  { name, organization, userId }: LocatedAgent,
  terminal: Terminal,
): Promise<readonly Rejection[]> {
  const rejections: Rejection[] = []
  const { caller } = organization
  const { organizationId } = caller
  const waiting = await waitingActivities(caller)
  for (const activity of waiting.filter(({ proposerId }) => proposerId === userId)) {
    const { fingerprint } = activity
    const type = 'ACTIVITY_TYPE_REJECT_ACTIVITY'
    const body = { type, timestampMs: String(terminal.now()), organizationId, parameters: { fingerprint } }
    const status = await statusAfter(name, () => signedRequest(caller, 'submit/reject_activity', body))
    const rejected = status === 'ACTIVITY_STATUS_REJECTED'
    rejections.push({ activityId: activity.id, rejected })
    terminal.write(
      rejected
        ? `rejected the waiting request: ${printable(activity.type)}, activity ${printable(activity.id)}\n`
        : `it may still be approved by others: ${waitingText(activity)}\n`,
    )
  }
  return rejections
}

async function statusAfter(name: string, submit: () => Promise<unknown>): Promise<string | undefined> {
  try {
    const answer = await submit()
    const record =
      typeof answer === 'object' && answer !== null && 'activity' in answer ? answer.activity : undefined
    return activityIn(record)?.status
  } catch (error) {
    if (error instanceof TooManyRequests)
      throw new CommandError(
        `agent ${name} has requests that still wait, and the service takes no more rejections now: run this command again in a minute`,
      )
    // A user who may stop an agent cannot always vote: the remaining requests are reported.
    if (error instanceof ServiceRefusal) return undefined
    throw error
  }
}
