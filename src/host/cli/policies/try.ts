import { isJsonObject, type JsonValue } from '../../../trusted/base/strict-json.ts'
import { tried } from '../../queries/rehearsals/try-activity.ts'
import { callerFrom } from '../caller.ts'
import { signedQuery } from '../signed-query.ts'
import { CommandError } from '../command-error.ts'
import { UsageError } from '../usage.ts'
import { flag, ofServices, oneAndOptions, text, texts } from '../arguments.ts'
import { draftIn } from './draft-in.ts'
import { judgementText } from './judgement-text.ts'
import { listedPolicies, policyNames } from './policy-names.ts'
import { printableJson } from './printable.ts'
import { readJsonFile } from './read-json-file.ts'
import type { ExitCode } from '../exit-codes.ts'

/** `claviger policies try FILE`: shows the outcome of a request without executing it. */
export async function tryRequest(args: readonly string[]): Promise<ExitCode<'policies try'>> {
  const { subject: path, values } = oneAndOptions(args, 'one file with a request', {
    ...ofServices,
    user: text,
    approver: texts,
    draft: text,
    instead: flag,
    explain: flag,
  })
  if (values.instead === true && values.draft === undefined)
    throw new UsageError('--instead goes with --draft: it names no policies itself')
  const caller = callerFrom(values.as, process.env)
  const request = requestIn(readJsonFile(path), path)
  const policies = await listedPolicies(caller)
  const draft = values.draft === undefined ? undefined : draftIn(values.draft, values.instead ? policies : [])
  const answer = await signedQuery(
    caller,
    'try_activity',
    {
      ...request,
      ...(values.user === undefined ? {} : { userId: values.user }),
      approverUserIds: values.approver ?? [],
      ...(draft === undefined ? {} : { draft }),
      explain: values.explain ?? false,
    },
    tried,
  )
  const { judgement, drafted } = answer
  const nameOf = policyNames(policies, draft)
  const lines = [
    ...(drafted === undefined ? [] : ['By the policies that there are:']),
    ...judgementText(judgement, nameOf),
    ...(drafted === undefined ? [] : ['', 'By the draft:', ...judgementText(drafted, nameOf)]),
  ]
  process.stdout.write(values.json ? `${printableJson(answer, 2)}\n` : `${lines.join('\n')}\n`)
  return 0
}

/**
 * A request in the form of a submission: the organization and the instant are optional, and default to the present
 * ones.
 */
function requestIn(
  file: JsonValue,
  path: string,
): { readonly type: JsonValue; readonly parameters: JsonValue } {
  if (!isJsonObject(file)) throw new CommandError(`${path} is not a request: it is not an object`)
  const { type, parameters } = file
  if (type === undefined || parameters === undefined)
    throw new CommandError(`${path} is not a request: a request has type and parameters`)
  return { type, parameters }
}
