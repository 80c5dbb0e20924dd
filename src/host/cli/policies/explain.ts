import { explained } from '../../queries/rehearsals/explain-activity.ts'
import { callerFrom } from '../caller.ts'
import { signedQuery } from '../signed-query.ts'
import { ofServices, oneAndOptions } from '../arguments.ts'
import { judgementText } from './judgement-text.ts'
import { listedPolicies, policyNames } from './policy-names.ts'
import { printableJson } from './printable.ts'
import type { ExitCode } from '../exit-codes.ts'

/** `claviger policies explain ACTIVITY`: explains why it was allowed or refused, with each value. */
export async function explain(args: readonly string[]): Promise<ExitCode<'policies explain'>> {
  const { subject: activityId, values } = oneAndOptions(args, 'the id of an activity', ofServices)
  const caller = callerFrom(values.as, process.env)
  const answer = await signedQuery(caller, 'explain_activity', { activityId }, explained)
  const lines = judgementText(answer.judgement, policyNames(await listedPolicies(caller)))
  process.stdout.write(values.json ? `${printableJson(answer, 2)}\n` : `${lines.join('\n')}\n`)
  return 0
}
