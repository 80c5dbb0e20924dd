import { isJsonObject, type JsonObject, type JsonValue } from '../../trusted/base/strict-json.ts'
import { fact, type Reading, reading } from './fact.ts'
import type { KnownActivity } from './known-activity.ts'
import { visible } from './visible.ts'

/** The change that a request asks for, by the purpose of its activity; all parameters follow below by their paths. */
export function changeWords(activity: KnownActivity, parameters: JsonObject): Reading {
  const names = namesIn(parameters).slice(0, NAMES_MAX)
  const about = names.length === 0 ? '' : `: ${names.map((name) => `"${visible(name)}"`).join(', ')}`
  const dangers = DANGERS.flatMap(({ of, danger }) => (of(activity, parameters) ? [danger] : []))
  return reading(`${activity.summary}${about}.`, { facts: [fact('Change', activity.summary)], dangers })
}

const NAMES_MAX = 5

/** The names in the request, or the ids if it gives no names. */
function namesIn(value: JsonValue): readonly string[] {
  const names = textsUnder(value, (field) => /name$/i.test(field))
  return names.length > 0 ? names : textsUnder(value, (field) => /ids?$/i.test(field))
}

function textsUnder(value: JsonValue, wanted: (field: string) => boolean): readonly string[] {
  // `Array.isArray` does not narrow a readonly list.
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((item) => textsUnder(item, wanted))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([field, item]) => {
    if (!wanted(field)) return textsUnder(item, wanted)
    const items = Array.isArray(item) ? (item as readonly JsonValue[]) : [item]
    return items.filter((each) => typeof each === 'string' && each !== '').map(String)
  })
}

type Danger = {
  readonly of: (activity: KnownActivity, parameters: JsonObject) => boolean
  readonly danger: string
}

function isOfTags(kind: string): boolean {
  return /_TAGS?$/.test(kind)
}

const DANGERS: readonly Danger[] = [
  {
    of: ({ action }) => action === 'EXPORT',
    danger:
      'It hands out the key or the secret itself, to the holder of the target key. From then on no policy limits its use.',
  },
  {
    of: ({ action }) => action === 'IMPORT',
    danger: 'What is imported is encrypted: nobody can see here what it is, or who else has it.',
  },
  {
    of: ({ kind }) => kind === 'UPDATE_ROOT_QUORUM',
    danger: 'The root quorum may do everything, whatever policies say. This changes who it is.',
  },
  {
    of: ({ kind }, { name }) =>
      kind === 'SET_ORGANIZATION_FEATURE' && name === 'FEATURE_NAME_ORGANIZATION_RECOVERY',
    danger:
      'The holders of the shares of this key may make anybody a root user, after a delay in which any root user can stop it. ' +
      'Nothing in the bytes proves whose hands the shares are in.',
  },
  {
    of: ({ kind }) => isOfTags(kind) || kind === 'UPDATE_USER',
    danger: 'Policies may go by tags: who gets one, or loses one, may get other rights.',
  },
  {
    of: ({ resource }) => resource === 'POLICY' || resource === 'MFA_POLICY',
    danger: 'It changes who may do what. Read the effect and the whole of the condition and the consensus.',
  },
  {
    of: ({ kind, resource, action }) =>
      action === 'CREATE' &&
      ['CREDENTIAL', 'USER', 'INVITATION', 'AUTH'].includes(resource) &&
      !isOfTags(kind),
    danger: 'It lets somebody act as a user. Whose key or address it is, nothing in the bytes proves.',
  },
  {
    of: ({ kind, resource, action }) =>
      action === 'DELETE' &&
      ['WALLET', 'PRIVATE_KEY', 'SECRET', 'ORGANIZATION'].includes(resource) &&
      !isOfTags(kind),
    danger: 'What is deleted does not come back, and what only its keys can move is lost.',
  },
  {
    of: ({ kind, resource, action }) =>
      action === 'DELETE' && ['CREDENTIAL', 'USER'].includes(resource) && !isOfTags(kind),
    danger: 'It takes a way in away. See that another one is left.',
  },
  {
    of: ({ resource, action }) =>
      resource === 'CONFIG' ||
      resource === 'RECOVERY' ||
      (resource === 'ORGANIZATION' && action === 'UPDATE'),
    danger: 'It changes how users get in, or what guards the organization.',
  },
]
