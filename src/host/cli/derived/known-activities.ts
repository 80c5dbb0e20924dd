import type { Activity } from '../../../trusted/catalogue/activity.ts'
import { kindOf } from '../../../trusted/catalogue/form.ts'
import type { JsonSchema } from '../../../trusted/catalogue/shape.ts'

/**
 * The modules in `src/host/approval` with the data that a page needs about each activity to put a request into words,
 * without its code. Signing activities are in a module of their own, so a page that shows a transaction loads only this
 * one.
 */
export function knownActivitiesModules(
  activities: readonly Activity[],
): readonly (readonly [path: string, text: string])[] {
  const signs = ({ action }: Activity): boolean => action === 'SIGN'
  return [
    [`${FOLDER}/known-signatures.ts`, moduleOf('KNOWN_SIGNATURES', activities.filter(signs))],
    [
      `${FOLDER}/known-activities.ts`,
      moduleOf(
        'KNOWN_ACTIVITIES',
        activities.filter((one) => !signs(one)),
      ),
    ],
  ]
}

const FOLDER = 'src/host/approval'

function moduleOf(name: string, activities: readonly Activity[]): string {
  const entries = activities.flatMap(({ summary, resource, action, forms, vote }) =>
    forms.map(({ type, intent, nextBy }) => {
      const known = {
        kind: kindOf(type),
        summary,
        resource,
        action,
        ...(vote === undefined ? {} : { isVote: true }),
        ...(nextBy === undefined ? {} : { nextBy }),
        fields: fieldsIn(intent.schema),
      }
      return `  ${type}: ${JSON.stringify(known)},`
    }),
  )
  return [
    '// Derived by `npm run derive` from the list of activities.',
    "import type { KnownActivities } from './known-activity.ts'",
    '',
    `export const ${name}: KnownActivities = {`,
    ...entries,
    '}',
    '',
  ].join('\n')
}

type Fields = { readonly [name: string]: Fields | 1 }

/** The names of the fields of an object, in a list or not, with those of nested objects. */
function fieldsIn(schema: JsonSchema): Fields {
  const choices = listOf(schema['anyOf']).map((choice) => fieldsIn(objectOf(choice)))
  const items = schema['items'] === undefined ? {} : fieldsIn(objectOf(schema['items']))
  const own = Object.entries(objectOf(schema['properties'])).map(([name, value]) => {
    const inner = fieldsIn(objectOf(value))
    return [name, Object.keys(inner).length === 0 ? (1 as const) : inner] as const
  })
  return Object.assign({}, ...choices, items, Object.fromEntries(own)) as Fields
}

function objectOf(value: unknown): JsonSchema {
  // Every schema from a shape is a plain object of JSON.
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
