import { hash } from 'node:crypto'
import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { isUuid } from '../base/ids.ts'
import { isObject } from '../base/plain.ts'
import { readJsonObject } from '../base/strict-json.ts'
import type { Ms } from '../base/world.ts'
import type { Activity } from './activity.ts'
import type { Form } from './form.ts'
import {
  boolean,
  invalidField,
  object,
  optional,
  organizationIdText,
  refined,
  type Shape,
  shown,
  text,
} from './shape.ts'
import { isGiven, spellingsOf } from './spelling.ts'

/** A request to change something, as read from its exact bytes. */
export type Submission = {
  readonly activity: Activity
  readonly form: Form
  readonly type: string
  readonly organizationId: string
  readonly timestampMs: Ms
  readonly fingerprint: string
  /** The parameters as sent, in their own version. */
  readonly intent: unknown
  /** The parameters in the newest version, which are validated, judged and carried out. */
  readonly newest: unknown
}

/** Every type that is built, with the activity and the form it names. */
export type ActivitiesByType = ReadonlyMap<string, { readonly activity: Activity; readonly form: Form }>

export function activitiesByType(activities: readonly Activity[]): ActivitiesByType {
  return new Map(
    activities.flatMap((activity) => activity.forms.map((form) => [form.type, { activity, form }])),
  )
}

const unknownActivityType = defineFailure<{ readonly type: string }>({
  kind: 'unknownActivityType',
  code: INVALID_ARGUMENT,
  say: ({ type }) => `invalid request: activity type ${shown(type)} is not known`,
})

export const malformedOrganizationId = defineFailure<{ readonly organizationId: string }>({
  kind: 'malformedOrganizationId',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_ORGANIZATION_ID',
  say: ({ organizationId }) =>
    `malformed organization ID provided: ${shown(organizationId)} is not a UUID in lowercase`,
})

/** @param body  the text of the exact bytes */
export function readSubmission(body: string, types: ActivitiesByType): Submission {
  const envelope = envelopeShape.read(readJsonObject(body), '', 'lenient')
  if (!types.has(envelope.type)) throw unknownActivityType({ type: envelope.type })
  if (!isUuid(envelope.organizationId))
    throw malformedOrganizationId({ organizationId: envelope.organizationId })
  return {
    ...readIntent(envelope, types),
    organizationId: envelope.organizationId,
    timestampMs: Number(envelope.timestampMs),
    fingerprint: fingerprintOf(body),
  }
}

/**
 * The parameters in the form that they are in: that of their type, or of the next where they have the field that tells
 * it.
 */
export function readIntent(
  sent: { readonly type: string; readonly parameters: object },
  types: ActivitiesByType,
  at = '',
): Pick<Submission, 'activity' | 'form' | 'type' | 'intent' | 'newest'> {
  const { type, parameters } = sent
  const known = types.get(type)
  if (known === undefined) throw unknownActivityType({ type })
  const { nextBy } = known.form
  if (nextBy !== undefined && isGiven(parameters, nextBy.field))
    return readIntent({ type: nextBy.type, parameters }, types, at)
  const intent = known.form.intent.read(withoutFlag(parameters, at), at, 'lenient')
  return { ...known, type, intent, newest: known.form.up(intent) }
}

/**
 * `@turnkey/core` repeats the flag of the envelope among the parameters, where no activity has a field of this name.
 */
function withoutFlag(parameters: object, at: string): object {
  if (!FLAG_NAMES.some((name) => Object.hasOwn(parameters, name))) return parameters
  const isFlag = ([name]: readonly [string, unknown]): boolean => FLAG_NAMES.includes(name)
  const entries = Object.entries(parameters)
  flagShape.read(Object.fromEntries(entries.filter(isFlag)), at, 'lenient')
  return Object.fromEntries(entries.filter((entry) => !isFlag(entry)))
}

/** The fingerprint of a request: `sha256:` and the 64 hex digits over the exact bytes of the body, given as text. */
export function fingerprintOf(body: string): string {
  return `sha256:${hash('sha256', body, 'hex')}`
}

export const anyObject: Shape<object> = {
  read: (value, at) => {
    if (!isObject(value)) throw invalidField({ field: at, problem: `must be an object, not ${shown(value)}` })
    return value
  },
  schema: { type: 'object' },
}

const timestampMsText = refined(text({ max: 16 }), {
  problem: (value) =>
    /^(0|[1-9]\d{0,15})$/.test(value) && Number(value) <= Number.MAX_SAFE_INTEGER
      ? undefined
      : `must be the milliseconds since 1970 as decimal digits, not ${shown(value)}`,
  schema: { pattern: '^(0|[1-9][0-9]{0,15})$' },
})

/** Application proofs need an enclave: the flag is read and none are given. */
const flag = { generateAppProofs: optional(boolean) }
const flagShape = object(flag)
const FLAG_NAMES = [...spellingsOf(Object.keys(flag)).keys()]

/** Around the parameters of every activity. */
export const envelopeShape = object({
  type: text({ min: 1, max: 128 }),
  timestampMs: timestampMsText,
  organizationId: organizationIdText,
  parameters: anyObject,
  ...flag,
})
