import type { Submission } from '../../catalogue/submission.ts'
import { couldAllow, NothingAllows } from './could-allow.ts'
import { governingCharter, type RequestContext } from '../authentication/request-context.ts'
import type { Judged } from './judged.ts'
import { refusedRecord } from './record.ts'
import { approvalOf } from '../charters/holders.ts'
import { DENIED } from './verdict.ts'

/**
 * Decides while the cost is low. A more expensive request goes on only where some rule could allow it to its sender;
 * otherwise it is denied without evaluating policies.
 *
 * @param judged  the request that is decided, or the one that is voted on
 */
export async function deniedEarlyOr(
  context: RequestContext,
  judged: Submission,
  judge: () => Promise<Judged>,
): Promise<Judged> {
  const { identity, work } = context
  const governing = governingCharter(context, [identity.user.userId])
  work.unproven(() => {
    const { could, cost } = couldAllow(governing, approvalOf(identity.user, [identity.credential]), judged)
    work.charge(cost)
    if (!could) throw new NothingAllows()
  })
  try {
    return await judge()
  } catch (error) {
    if (!(error instanceof NothingAllows)) throw error
    return refusedRecord(context, DENIED)
  }
}
