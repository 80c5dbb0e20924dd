import { consensusVocabulary } from '../policy/people.ts'
import { string, struct, type Type, type Vocabulary } from '../policy/types.ts'
import type { Activity } from './activity.ts'
import { kindOf } from './form.ts'
import { markdownPage } from './markdown-page.ts'

/** The page about everything that policies may name, in Markdown, derived from the activities. */
export function vocabularyPage(activities: readonly Activity[]): string {
  const sorted = [...activities].sort((a, b) => (a.operation < b.operation ? -1 : 1))
  // Votes count for the activity that they are about.
  const governed = sorted.filter(
    ({ authority, vote }) => authority.kind !== 'rootQuorum' && vote === undefined,
  )
  const quorumOnly = sorted.filter(({ authority }) => authority.kind === 'rootQuorum')
  const rows = [
    '| `activity.kind` | `activity.resource` | `activity.action` | further names |',
    '|---|---|---|---|',
  ]
  const blocks = [
    '# The vocabulary of policies',
    'Derived by `npm run derive` from the declarations in `src/trusted/activities`. The language itself is in [policy-language.md](policy-language.md).',
    '## In every condition',
    names({
      activity: struct({
        type: string,
        kind: string,
        resource: string,
        action: string,
        organization_id: string,
      }),
    }),
    '`activity.type` is the published type in the version that was sent; `activity.kind` is the same without prefix and version, and so matches older and later versions too. `activity.organization_id` is the organization that the request is about: that of the policy, or one of its sub-organizations.',
    '## In every consensus',
    names(consensusVocabulary),
    '## Per activity',
    [...rows, ...governed.map(row)].join('\n'),
    `Only the root quorum decides about ${quorumOnly.map(({ operation }) => `\`${operation}\``).join(', ')}: policies do not count.`,
  ]
  return markdownPage(blocks)
}

function row({ forms, resource, action, params, namespaces }: Activity): string {
  const kinds = [...new Set(forms.map(({ type }) => `\`${kindOf(type)}\``))].join(', ')
  const own = Object.entries(params?.types ?? {}).map(
    ([name, type]) => `\`activity.params.${name}\`: ${told(type)}`,
  )
  const more = Object.entries(namespaces ?? {}).flatMap(([name, type]) => lines(name, type))
  return `| ${kinds} | \`${resource}\` | \`${action}\` | ${[...own, ...more].join('<br>')} |`
}

function names(vocabulary: Vocabulary): string {
  return Object.entries(vocabulary)
    .flatMap(([name, type]) => lines(name, type))
    .map((line) => `- ${line}`)
    .join('\n')
}

/** A struct is told by its fields. */
function lines(name: string, type: Type): readonly string[] {
  if (type.kind !== 'struct') return [`\`${name}\`: ${told(type)}`]
  return Object.entries(type.fields).flatMap(([field, inner]) => lines(`${name}.${field}`, inner))
}

function told(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list of ${told(type.of)}`
    case 'map':
      return `map to ${told(type.of)}`
    case 'struct':
      return `struct of ${Object.entries(type.fields)
        .map(([name, inner]) => `\`${name}\` (${told(inner)})`)
        .join(', ')}`
    default:
      return type.kind
  }
}
