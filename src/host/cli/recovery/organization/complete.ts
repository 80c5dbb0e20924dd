import type { Config } from '../../../app/config.ts'
import { type Out, say, sayJson } from '../../root-key/say.ts'
import { sendStep } from './send-step.ts'
import type { ExitCode } from '../../exit-codes.ts'

/** Makes the people of an attempt root users, after its delay. */
export async function completeRecovery(
  config: Config,
  wanted: { readonly path: string; readonly url: string | undefined; readonly attemptId: string },
  out: Out,
): Promise<ExitCode<'recovery complete'>> {
  const { attemptId } = wanted
  const { organizationId } = await sendStep(config, { ...wanted, step: { complete: attemptId } })
  sayJson(out, { organizationId, attemptId, completed: true })
  say(out, [
    `${organizationId} has its new root users, and its other root users are told. The set has ended: the shares are of no use now.`,
    'Make a new one: claviger recovery create --organization …',
  ])
  return 0
}
