import { errorBody } from '../base/failure.ts'
import type { Submission } from '../catalogue/submission.ts'
import { couldAllow, NothingAllows } from './could-allow.ts'
import { notAllowed } from './failures.ts'
import { governingCharter, type RequestContext } from './request-context.ts'
import type { Judged } from './judged.ts'
import { refusedRecord } from './record.ts'
import { OUT_OF_SCOPE } from './scope.ts'
import { approvalOf } from './compiled-charter.ts'

/**
 * Judges, as long as it costs little. What costs more is gone on with only where something could allow it to whose request or
 * vote this is; else it is denied as it stands, with no policy asked.
 *
 * @param judged  what is judged: the request, or the one that is voted on
 */
export async function deniedEarlyOr(
  context: RequestContext,
  judged: Submission,
  judge: () => Promise<Judged>,
): Promise<Judged> {
  const { identity, work, request } = context
  const governing = governingCharter(context, identity.user.userId)
  work.unproven(() => {
    if (!couldAllow(governing, approvalOf(identity.user, [identity.credential]), judged))
      throw new NothingAllows()
  })
  try {
    return await judge()
  } catch (error) {
    if (!(error instanceof NothingAllows)) throw error
    // Someone else's copy of the very bytes that are voted on has their record already.
    return request.earlier === undefined
      ? refusedRecord(context, OUT_OF_SCOPE)
      : { kind: 'refused', error: errorBody(notAllowed(OUT_OF_SCOPE)) }
  }
}
