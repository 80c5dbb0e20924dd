import { checkRequestAge } from '../memory/request-age.ts'
import type { RequestContext } from '../authentication/request-context.ts'

/**
 * Refuses a request whose timestamp is too old or too far ahead, or that a lost store may have carried out.
 *
 * @throws Failure `requestNotLive` or `requestBeforeRestore`
 */
export function checkRequestIsLive({ vaultContext, submission, now }: RequestContext): void {
  if (vaultContext.emulation?.anyTimestamp === true) return
  checkRequestAge(submission.timestampMs, now)
  vaultContext.memory.restored.checkRequest(submission.timestampMs)
}
