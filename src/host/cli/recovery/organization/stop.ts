import { realWorld } from '../../../../trusted/base/real-world.ts'
import { RECOVERY_ATTEMPT_FEATURE } from '../../../../trusted/charter/organization-recovery.ts'
import { type Out, say, sayJson, WAITS } from '../../root-key/say.ts'
import { isCompleted, signedActivity } from '../../signed-activity.ts'
import type { Caller } from '../../signed-query.ts'
import type { ExitCode } from '../../exit-codes.ts'

/** Stops the attempt under way, by one root user. */
export async function stopRecovery(caller: Caller, out: Out): Promise<ExitCode<'recovery stop'>> {
  const { organizationId } = caller
  const type = 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE'
  const parameters = { name: RECOVERY_ATTEMPT_FEATURE }
  const activity = await signedActivity(caller, { type, parameters, now: realWorld.now() })
  const isStopped = isCompleted(activity)
  sayJson(out, { organizationId, stopped: isStopped, activityId: activity.id })
  say(out, [
    isStopped
      ? `No recovery of ${organizationId} is under way now. One that was has ended with its set; the root quorum can make a new one.`
      : `NOT stopped yet: your MFA policy asks for a further proof. Approve activity ${activity.id} with it.`,
  ])
  return isStopped ? 0 : WAITS
}
