import { Failure } from '../../trusted/base/failure.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJsonObject,
} from '../../trusted/base/strict-json.ts'
import { inOneSpelling, isGiven, isUnset, spellingsOf } from '../../trusted/catalogue/spelling.ts'
import type { KnownActivities, KnownActivity, KnownFields } from './known-activity.ts'
import { visible } from './visible.ts'

/** A request, read from its exact bytes by the rules of the service. */
export type Request = {
  readonly type: string
  /** The type under which the service reads it: a later one, if the request has a field of that type. */
  readonly readAs: string
  readonly organizationId: string
  readonly timestampMs: string
  /** The whole request, as sent. */
  readonly sent: JsonObject
  readonly parameters: JsonObject
  readonly activity: KnownActivity
}

/** A request that cannot be put into words, and therefore cannot be approved here. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** A request of which only the envelope is read: its type decides which parts have to be loaded for the rest. */
type Opened = Pick<Request, 'type' | 'organizationId' | 'timestampMs' | 'sent'> & {
  readonly given: JsonObject
}

/** @throws Unreadable for a request that is not read completely, or has an unknown field */
export function openRequest(bytes: Uint8Array): Opened {
  const sent = readable(() => readJsonObject(bytes))
  const envelope = readable(() => inOneSpelling(sent, ENVELOPE, ''))
  const { type, organizationId, timestampMs, parameters } = envelope
  if (typeof type !== 'string' || typeof organizationId !== 'string' || typeof timestampMs !== 'string')
    throw new Unreadable('the request has no type, organization or time')
  const extra = Object.keys(envelope).find((name) => ENVELOPE.get(name) !== name)
  if (extra !== undefined)
    throw new Unreadable(`the request has a field that is not known here: ${visible(extra)}`)
  // A member of a value from the strict reader of JSON.
  const given = parameters as JsonValue | undefined
  if (!isJsonObject(given)) throw new Unreadable('the request has no parameters')
  return { type, organizationId, timestampMs, sent, given }
}

/** @throws Unreadable for an unknown type, and for parameters with an unknown field */
export function readRequest({ given, ...opened }: Opened, known: KnownActivities): Request {
  const { readAs, activity } = knownActivity(opened.type, given, known)
  // The service reads the flag of the envelope among the parameters too.
  const fields = { ...activity.fields, [FLAG]: 1 } as const
  return { ...opened, readAs, parameters: readable(() => named(given, fields, 'parameters')), activity }
}

/** For proofs that this service has none of: it changes nothing. */
export const FLAG = 'generateAppProofs'
const ENVELOPE = spellingsOf(['type', 'timestampMs', 'organizationId', 'parameters', FLAG])

function knownActivity(
  type: string,
  parameters: JsonObject,
  among: KnownActivities,
): Pick<Request, 'readAs' | 'activity'> {
  const known = Object.hasOwn(among, type) ? among[type] : undefined
  if (known === undefined) throw new Unreadable(`an activity of the type ${visible(type)} is not known here`)
  const { nextBy } = known
  return nextBy !== undefined && isGiven(parameters, nextBy.field)
    ? knownActivity(nextBy.type, parameters, among)
    : { readAs: type, activity: known }
}

/** The object with each field under its name in camelCase; an unknown field has to be unset. */
function named(object: JsonObject, fields: KnownFields, at: string): JsonObject {
  // `inOneSpelling` copies values of its argument, which is JSON.
  const one = inOneSpelling(object, spellingsOf(Object.keys(fields)), at) as JsonObject
  return Object.fromEntries(
    Object.entries(one).map(([name, value]) => {
      const under = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (under === undefined && !isUnset(value))
        throw new Unreadable(`the request has a field that is not known here: ${at}.${visible(name)}`)
      return [name, namedIn(value, under ?? 1, `${at}.${name}`)]
    }),
  )
}

function namedIn(value: JsonValue, fields: KnownFields | 1, at: string): JsonValue {
  // `Array.isArray` does not narrow a readonly list.
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item, index) => namedIn(item, fields, `${at}[${index}]`))
  if (!isJsonObject(value)) return value
  return named(value, fields === 1 ? {} : fields, at)
}

/** A refusal of the service's readers is shown in their words. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) throw new Unreadable(visible(error.message))
    throw error
  }
}
