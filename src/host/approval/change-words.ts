import { isJsonObject, type JsonObject, type JsonValue } from '../../trusted/base/strict-json.ts'
import { fact, type Reading, reading } from './fact.ts'
import type { KnownActivity } from './known-activity.ts'
import { quoted } from './visible.ts'

/** The change that a request asks for, by the purpose of its activity; all parameters follow below by their paths. */
export function changeWords(activity: KnownActivity, parameters: JsonObject): Reading {
  const names = namesIn(parameters)
  const about = names.length === 0 ? '' : `: ${names.slice(0, NAMES_MAX).map(quoted).join(', ')}`
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} MORE, all of them below` : ''
  const dangers = DANGERS.flatMap(({ of, danger }) => (of(activity, parameters) ? [danger] : []))
  return reading(`${activity.summary}${about}${more}.`, {
    facts: [fact('Change', activity.summary)],
    dangers,
  })
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

function setsContact({ kind }: KnownActivity, { userEmail = '', userPhoneNumber = '' }: JsonObject): boolean {
  if (kind === 'UPDATE_USER_EMAIL' || kind === 'UPDATE_USER_PHONE_NUMBER') return true
  return kind === 'UPDATE_USER' && (userEmail !== '' || userPhoneNumber !== '')
}

const DANGERS: readonly Danger[] = [
  {
    of: ({ action }) => action === 'EXPORT',
    danger:
      'It hands out the key or the secret itself, to the holder of the target key. From then on no policy limits its use.',
  },
  {
    of: ({ action }) => action === 'IMPORT',
    danger: 'The import is encrypted: its content, and its other holders, cannot be seen here.',
  },
  {
    of: ({ kind }) => kind === 'UPDATE_ROOT_QUORUM',
    danger: 'The root quorum may do everything, regardless of policies. This changes its members.',
  },
  {
    of: ({ kind }, { name }) =>
      kind === 'SET_ORGANIZATION_FEATURE' && name === 'FEATURE_NAME_ORGANIZATION_RECOVERY',
    danger:
      'The holders of the shares of this key may make anybody a root user, after a delay in which any root user can stop it. ' +
      'The bytes do not prove who holds the shares.',
  },
  {
    of: ({ kind }) => isOfTags(kind),
    danger: 'Policies may depend on tags: a user who gets or loses one may get other rights.',
  },
  {
    of: ({ kind }) => ['UPDATE_USER', 'UPDATE_USER_NAME', 'UPDATE_USER_EMAIL'].includes(kind),
    danger:
      'Policies may depend on the name, the e-mail address and the tags of a user, who may get other rights by this.',
  },
  {
    of: ({ kind }) => kind === 'UPDATE_WALLET',
    danger:
      'Policies may depend on the name of a wallet: under another one, other users may be allowed to sign with its keys.',
  },
  {
    of: setsContact,
    danger:
      'The holder of the new address or number may get codes with which to log in as the user. The bytes do not prove whose it is.',
  },
  {
    of: ({ resource }) => resource === 'SMART_CONTRACT_INTERFACE',
    danger:
      'Policies read the calls of this contract by its interface: with another one they may allow other calls.',
  },
  {
    of: ({ resource, action }) => resource === 'WEBHOOK_ENDPOINT' && action !== 'DELETE',
    danger: 'The address of a webhook gets every activity of the organization, and of its sub-organizations.',
  },
  {
    of: ({ resource }) => resource === 'POLICY' || resource === 'MFA_POLICY',
    danger: 'It changes rights. Read the effect, the whole condition and the whole consensus.',
  },
  {
    of: ({ kind, resource, action }) =>
      action === 'CREATE' &&
      ['CREDENTIAL', 'USER', 'INVITATION', 'AUTH'].includes(resource) &&
      !isOfTags(kind),
    danger: 'It lets a person act as a user. The bytes do not prove whose key or address it is.',
  },
  {
    of: ({ kind, resource, action }) =>
      action === 'DELETE' &&
      ['WALLET', 'PRIVATE_KEY', 'SECRET', 'ORGANIZATION'].includes(resource) &&
      !isOfTags(kind),
    danger: 'A deletion is permanent, and assets that only its keys can move are lost.',
  },
  {
    of: ({ kind, resource, action }) =>
      action === 'DELETE' && ['CREDENTIAL', 'USER'].includes(resource) && !isOfTags(kind),
    danger: 'It removes a way to log in. Make sure that another one is left.',
  },
  {
    of: ({ resource, action }) =>
      resource === 'CONFIG' ||
      resource === 'RECOVERY' ||
      (resource === 'AUTH' && (action === 'UPDATE' || action === 'DELETE')) ||
      (resource === 'ORGANIZATION' && action === 'UPDATE'),
    danger: 'It changes the ways to log in, or the protection of the organization.',
  },
]
