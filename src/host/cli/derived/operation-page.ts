import type { Activity } from '../../../trusted/catalogue/activity.ts'
import { type Field, fieldsOf } from '../../../trusted/catalogue/fields.ts'
import type { Form } from '../../../trusted/catalogue/form.ts'
import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import type { Query } from '../../../trusted/catalogue/query.ts'
import type { JsonSchema } from '../../../trusted/catalogue/shape.ts'
import { codeBlock, fieldTable } from './blocks.ts'
import type { DeclaredFailure } from './declared-failures.ts'
import type { Exchange } from './examples.ts'
import { inCode } from './in-code.ts'
import { meaningOf } from './meaning-of.ts'
import { ADDITION } from './addition.ts'

type Of = {
  readonly exchange: Exchange | undefined
  readonly failures: ReadonlyMap<string, DeclaredFailure>
  /** Operations on the same kind of object, by name. */
  readonly related: readonly string[]
}

/** The page of an activity, in Markdown. */
export function activityPage(activity: Activity, { exchange, failures, related }: Of): string {
  const { operation, summary, forms, resource, action } = activity
  const newest = forms[forms.length - 1]
  if (newest === undefined) throw new Error(`${operation} has no form`)
  return markdownPage([
    `# ${operation}`,
    `${summary}.`,
    rows([
      ['Path', `\`POST /public/v1/submit/${operation}\``],
      ['Type', `\`${newest.type}\``],
      [
        'In policies',
        `\`activity.resource == '${resource}'\`, \`activity.action == '${action}'\`; [words](../../policy-vocabulary.md)`,
      ],
      [
        'Stamp',
        activity.attestable === true
          ? `API key, passkey, or a token that proves the caller (${'`X-Stamp-Attested`'})`
          : 'API key or passkey',
      ],
      ['Who may', whoMay(activity)],
    ]),
    '## Parameters',
    fieldTable(fieldsOf(newest.intent.schema), (path) => meaningOf(operation, path)),
    '## Result',
    ...(activity.vote === undefined
      ? [`Under \`activity.result.${newest.resultKey}\`:`, fieldTable(fieldsOf(newest.result.schema))]
      : ['The answer is the activity that the vote is about.']),
    ...olderForms(forms.slice(0, -1).toReversed(), newest),
    '## Errors',
    'Beside the [errors that every request can meet](../errors.md#errors-of-every-request):',
    failuresOf(activity, failures),
    '## Example',
    'The body of a request:',
    codeBlock(exchange?.request ?? {}),
    'The answer, of which the [rest of the record](../requests.md#the-record) is left out:',
    codeBlock(shortAnswer(exchange)),
    ...seeAlso(related),
  ])
}

/** The page of a query. */
export function queryPage(query: Query, { exchange, related }: Of): string {
  const { operation, summary, request, response, findsSubOrganization, attestable, ours } = query
  const found =
    findsSubOrganization === true
      ? '; with the ID of a parent, the sub-organization is found by the credential of the stamp'
      : ''
  return markdownPage([
    `# ${operation}`,
    `${summary}.`,
    ...(ours === true ? [ADDITION] : []),
    rows([
      ['Path', `\`POST /public/v1/query/${operation}\``],
      [
        'Stamp',
        attestable === true
          ? 'API key, passkey, the token of a read-only session (`X-Session`), or a token that proves the caller (`X-Stamp-Attested`): with it, only about what its key has stamped'
          : 'API key, passkey, or the token of a read-only session (`X-Session`)',
      ],
      ['Who may', `every user of the organization and of its parent${found}`],
    ]),
    '## Request',
    fieldTable(fieldsOf(request.schema), (path) => meaningOf(operation, path)),
    '## Answer',
    fieldTable(fieldsOf(response.schema)),
    '## Errors',
    'The [errors that every request can meet](../errors.md#errors-of-every-request), and 404 for something that the request names and the organization does not have.',
    '## Example',
    'The body of a request:',
    codeBlock(exchange?.request ?? {}),
    'The answer:',
    codeBlock(exchange?.answer ?? {}),
    ...seeAlso(related),
  ])
}

function rows(of: readonly (readonly [name: string, text: string])[]): string {
  return ['| | |', '|---|---|', ...of.map(([name, text]) => `| ${name} | ${text} |`)].join('\n')
}

/** The fields of the record that differ between activities. */
function shortAnswer(exchange: Exchange | undefined): object {
  // Every activity is answered with its record, or with that of the activity of its vote.
  const { activity } = (exchange?.answer ?? { activity: {} }) as { readonly activity: JsonAnswer }
  const { id, organizationId, status, type, result } = activity
  const { activity: _, ...shown } = (result ?? {}) as JsonAnswer // the result and the record again
  return { activity: { id, organizationId, status, type, result: shown } }
}

type JsonAnswer = { readonly [name: string]: unknown }

/** The users who may have it executed, in sentences. */
export function whoMay(activity: Activity): string {
  const { parentMay, findsSubOrganization } = activity
  return [
    allowedFor(activity),
    ...(parentMay === true
      ? ["In a sub-organization also users of the parent, as the parent's policies say."]
      : []),
    ...(findsSubOrganization === true
      ? ['The request may carry the ID of the parent: the sub-organization is found by the stamp.']
      : []),
  ].join(' ')
}

function allowedFor({ authority, vote }: Activity): string {
  if (vote !== undefined) return 'Every user whose approval is pending.'
  switch (authority.kind) {
    case 'policies':
      return 'The root quorum, and users whom policies allow.'
    case 'rootQuorum':
      return authority.askedOf === undefined
        ? 'The root quorum only; a policy that names the activity has no effect.'
        : 'The root quorum only, but for [recovering an organization](../../decisions/break-glass.md#one-organization); a policy that names the activity has no effect.'
    case 'ownCredentials':
      return `The root quorum, users whom policies allow, and every user about their own credentials${authority.stampedWith === undefined ? '' : `, with a \`${authority.stampedWith}\`,`} where no policy decides.`
    case 'onlySelf':
      return 'Only the user whom the request names, where the root quorum or policies allow it.'
  }
}

function olderForms(older: readonly Form[], newest: Form): readonly string[] {
  if (older.length === 0) return []
  return ['## Older versions', ...older.map((form) => olderForm(form, newest))]
}

function seeAlso(related: readonly string[]): readonly string[] {
  if (related.length === 0) return []
  return ['## See also', `${related.map((name) => `[${name}](${name}.md)`).join(', ')}.`]
}

/** Describes an older version by its differences from the newest. */
function olderForm(form: Form, newest: Form): string {
  const intent = differences(form.intent.schema, newest.intent.schema)
  const result = differences(form.result.schema, newest.result.schema)
  const parts = [
    intent === '' ? 'the same parameters' : `parameters ${intent}`,
    `result \`${form.resultKey}\`${result === '' ? '' : ` ${result}`}`,
  ]
  return `\`${form.type}\`: ${parts.join('; ')}.`
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

function failuresOf({ fails }: Activity, failures: ReadonlyMap<string, DeclaredFailure>): string {
  const kinds = [...new Set(fails.map(({ kind }) => kind))].sort()
  if (kinds.length === 0) return 'None of its own.'
  const lines = kinds.map((kind) => {
    const declared = failures.get(kind)
    if (declared === undefined) throw new Error(`${kind} is met and not declared`)
    const { status, texts } = declared
    const text = texts.map((one) => inCode(one).replaceAll('|', '\\|')).join('<br>')
    return `| [\`${kind}\`](../errors.md#${kind.toLowerCase()}) | ${status} | ${text} |`
  })
  return ['| Error | HTTP | Message |', '|---|---|---|', ...lines].join('\n')
}
