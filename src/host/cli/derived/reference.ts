import type { Activity } from '../../../trusted/catalogue/activity.ts'
import { type Field, fieldsOf } from '../../../trusted/catalogue/fields.ts'
import type { Form } from '../../../trusted/catalogue/form.ts'
import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import type { Query } from '../../../trusted/catalogue/query.ts'
import type { JsonSchema } from '../../../trusted/catalogue/shape.ts'

/** The reference page, in Markdown: a section for every operation, derived from its declaration. */
export function referencePage(activities: readonly Activity[], queries: readonly Query[]): string {
  return markdownPage([
    '# Reference',
    'Derived by `npm run derive` from the declarations in `src/trusted/activities` and `src/host/queries`.',
    'Every operation is a `POST` of one JSON object, stamped by a credential. An activity changes something and goes to `/public/v1/submit/<operation>`. A query only reads and goes to `/public/v1/query/<operation>`.',
    '## Activities',
    'The body is `{ type, timestampMs, organizationId, parameters }`. A field that is not listed is refused. `null`, `""` and `[]` leave a field unset, with few exceptions, and names may be in snake_case ([unset fields](decisions/unset-fields.md)). The answer is `{ activity }`, with the result under its key in `activity.result`.',
    ...[...activities].sort(byOperation).flatMap(activitySection),
    '## Queries',
    ...[...queries].sort(byOperation).flatMap(querySection),
  ])
}

function activitySection(activity: Activity): readonly string[] {
  const { operation, summary, forms, example } = activity
  const newest = forms[forms.length - 1]
  if (newest === undefined) return []
  return [
    `### ${operation}`,
    `${summary}. \`${activity.resource}\`, \`${activity.action}\`. ${allowedFor(activity)}`,
    `\`${newest.type}\``,
    table(fieldsOf(newest.intent.schema)),
    `Result \`${newest.resultKey}\`:`,
    table(fieldsOf(newest.result.schema)),
    ...forms
      .slice(0, -1)
      .toReversed()
      .map((form) => olderForm(form, newest)),
    failuresOf(activity),
    codeBlock({ parameters: example.intent, result: { [newest.resultKey]: example.result } }),
  ]
}

function querySection({
  operation,
  summary,
  request,
  response,
  example,
  findsSubOrganization,
}: Query): readonly string[] {
  const finds =
    findsSubOrganization === true
      ? ' With the id of a parent, the sub-organization is found by the credential of the stamp.'
      : ''
  return [
    `### ${operation}`,
    `${summary}.${finds}`,
    table(fieldsOf(request.schema)),
    ...(Object.keys(example).length === 0 ? [] : [codeBlock(example)]),
    'Answer:',
    table(fieldsOf(response.schema)),
  ]
}

function allowedFor({ authority, vote }: Activity): string {
  if (vote !== undefined) return 'Allowed for every user whose approval is pending.'
  switch (authority.kind) {
    case 'policies':
      return 'Allowed for the root quorum and for users whom policies allow.'
    case 'rootQuorum':
      return 'Allowed for the root quorum only; a policy that names it has no effect.'
    case 'ownCredentials':
      return 'Allowed for the root quorum, for users whom policies allow, and for every user about their own credentials where no policy decides.'
    case 'onlySelf':
      return 'Allowed only for the user that it names, where the root quorum or policies allow it.'
  }
}

/** Describes an older version by its differences from the newest. */
function olderForm(form: Form, newest: Form): string {
  const intent = differences(form.intent.schema, newest.intent.schema)
  const result = differences(form.result.schema, newest.result.schema)
  const parts = [
    intent === '' ? 'the same parameters' : `parameters ${intent}`,
    `result \`${form.resultKey}\`${result === '' ? '' : ` ${result}`}`,
  ]
  return `Older: \`${form.type}\`: ${parts.join('; ')}.`
}

function differences(older: JsonSchema, newer: JsonSchema): string {
  const text = ({ path, isRequired }: Field) => `\`${path}\`${isRequired ? '' : ' (optional)'}`
  const before = fieldsOf(older).map(text)
  const after = fieldsOf(newer).map(text)
  const without = after.filter((field) => !before.includes(field))
  const instead = before.filter((field) => !after.includes(field))
  return [
    ...(without.length === 0 ? [] : [`without ${without.join(', ')}`]),
    ...(instead.length === 0 ? [] : [`with ${instead.join(', ')}`]),
  ].join(', ')
}

function table(fields: readonly Field[]): string {
  if (fields.length === 0) return 'No fields.'
  const rows = fields.map(
    ({ path, holds, isRequired }) =>
      `| \`${path}\` | ${holds.replaceAll('|', '\\|')} | ${isRequired ? 'required' : 'optional'} |`,
  )
  return ['| Field | Holds | |', '|---|---|---|', ...rows].join('\n')
}

function failuresOf({ fails }: Activity): string {
  const kinds = [...new Set(fails.map(({ kind }) => `\`${kind}\``))].sort()
  return kinds.length === 0 ? 'No errors of its own.' : `Errors of its own: ${kinds.join(', ')}.`
}

function codeBlock(value: object): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n')
}

function byOperation(a: { readonly operation: string }, b: { readonly operation: string }): number {
  return a.operation < b.operation ? -1 : 1
}
