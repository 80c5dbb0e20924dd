import { approvalJson, approvalText, type Outcome } from './approve/approval-text.ts'
import { hostNames } from './approve/host-names.ts'
import { type Person, processPerson } from './approve/person.ts'
import { castVote } from './approve/cast-vote.ts'
import { callerFrom } from './caller.ts'
import { flag, ofServices, oneAndOptions, text } from './arguments.ts'
import { type Caller, ServiceError, signedRequest } from './signed-query.ts'
import { type CheckedActivity, checkActivity } from '../approval/checked-activity.ts'
import type { ExitCode } from './exit-codes.ts'

const REFUSED = 1
/** The activity was shown, and no vote was cast. */
const NO_VOTE = 3

/**
 * `claviger approve ID`: shows an activity in words, which are made here from its bytes, and asks whether to approve
 * it.
 */
export async function approve(
  args: readonly string[],
  person: Person = processPerson(),
): Promise<ExitCode<'approve'>> {
  const options = { ...ofServices, reject: flag, 'yes-digits': text }
  const { subject: activityId, values } = oneAndOptions(args, 'the id of an activity', options)
  const caller = callerFrom(values.as, person.environment)
  const checked = await askedFor(caller, activityId)
  const selection = values.reject === true ? ('reject' as const) : ('approve' as const)
  const names = await hostNames(caller, activityId)
  const isJson = values.json === true
  if (!isJson) person.write(approvalText(checked, names))
  const tell = (outcome: Outcome): Outcome['code'] => {
    person.write(isJson ? approvalJson(checked, names, outcome) : `${outcome.says}\n`)
    return outcome.code
  }
  // A rejection prevents every effect, so an unreadable request may be rejected.
  if (selection === 'approve' && checked.refusals.length > 0)
    return tell({ code: REFUSED, says: 'NOT approved: it cannot be approved here. Nothing was sent.' })
  if (!isJson && values['yes-digits'] === undefined && person.asks === undefined)
    return tell({
      code: NO_VOTE,
      says: 'There is no terminal to ask at: give the digits with --yes-digits. Nothing was sent.',
    })
  const digits = values['yes-digits'] ?? (isJson ? undefined : await asked(person, selection))
  if (digits === undefined || digits.trim() === '')
    return tell({ code: NO_VOTE, says: 'No vote was cast. Nothing was sent.' })
  if (digits.replaceAll(' ', '') !== checked.fingerprint.digits.replaceAll(' ', ''))
    return tell({ code: REFUSED, says: 'NOT the digits of this activity. Nothing was sent.' })
  return tell({ code: 0, says: await castVote(caller, selection, checked, person.now()) })
}

async function askedFor(caller: Caller, activityId: string): Promise<CheckedActivity> {
  const { organizationId } = caller
  const answer = await signedRequest(caller, 'query/get_activity', { organizationId, activityId })
  const shown =
    typeof answer === 'object' && answer !== null && 'activity' in answer ? answer.activity : undefined
  const checked = await checkActivity(shown, organizationId)
  if (checked === undefined) throw new ServiceError(`${caller.baseUrl} shows no request of that activity`)
  return checked
}

async function asked(person: Person, selection: 'approve' | 'reject'): Promise<string | undefined> {
  return await person.asks?.(`To ${selection} it, type the eight digits; anything else sends nothing: `)
}
