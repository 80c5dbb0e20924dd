import * as z from 'zod'
import { activityShape, isOf, isWaiting, outcomeOf, signingParameters } from '../activity.ts'
import { decodedSentence } from '../decoded-sentence.ts'
import { rehearse } from '../rehearse.ts'
import { told } from '../result.ts'
import { defineTool } from '../tool.ts'
import { ToolError } from '../tool-error.ts'

const SECONDS_MAX = 600
// Hosts give up on a tool after a minute unless they are told otherwise.
const SECONDS_DEFAULT = 50
const PAUSE_MS = 2_000

export const waitForApproval = defineTool({
  name: 'wait_for_approval',
  title: 'Wait for an approval',
  description:
    'Waits until people have approved or rejected a request of this agent, and answers with the signature or the end ' +
    'of it. Answers after timeoutSeconds with status "waiting" where nobody has decided: call it again later.',
  arguments: z.strictObject({
    activityId: z.guid(),
    timeoutSeconds: z.number().int().min(0).max(SECONDS_MAX).default(SECONDS_DEFAULT),
  }),
  signs: false,
  run: async ({ activityId, timeoutSeconds }, { service, agent }, { signal, progress }) => {
    const me = await agent()
    const { organizationId } = me
    const until = service.now() + timeoutSeconds * 1_000
    for (let asked = 1; ; asked += 1) {
      const { activity } = await service.query(
        'get_activity',
        { organizationId, activityId },
        answered,
        signal,
      )
      if (!isOf(activity, me))
        throw new ToolError(
          'This activity is not a request of this agent.',
          'my_activities lists those that are.',
        )
      const left = until - service.now()
      if (!isWaiting(activity) || left <= 0) {
        const parameters = signingParameters(activity)
        const { type } = activity
        // Of the record, and so of the bytes that are signed.
        const decoded = parameters && (await decodedOf({ type, parameters }))
        return told(
          `${ENDS[activity.status] ?? 'It is settled.'} ${parameters ? decodedSentence(decoded) : ''}`,
          {
            ...outcomeOf(activity),
            ...(decoded === undefined ? {} : { decoded }),
            approvedBy: activity.votes
              .filter(({ selection }) => selection === APPROVED)
              .map(({ userId }) => userId),
          },
        )
      }
      await progress(asked, 'waiting for people')
      await service.pause(Math.min(PAUSE_MS, left), signal)
    }

    async function decodedOf(request: { type: string; parameters: { readonly [name: string]: string } }) {
      try {
        return (await rehearse(service, me, request, signal)).decoded
      } catch (error) {
        // What it was about may be gone by now, a key for example; what came of it is told all the same.
        if (error instanceof ToolError) return undefined
        throw error
      }
    }
  },
})

const answered = z.object({ activity: activityShape })

const APPROVED = 'VOTE_SELECTION_APPROVED'

const ENDS: { readonly [status: string]: string } = {
  ACTIVITY_STATUS_COMPLETED: 'It is approved and signed.',
  ACTIVITY_STATUS_REJECTED:
    'It is rejected. Do not ask for the same again: ask the person what is wrong with it.',
  ACTIVITY_STATUS_FAILED: 'It failed and is not signed.',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'It still waits for people.',
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: 'It still waits for a further proof of who asked.',
}
