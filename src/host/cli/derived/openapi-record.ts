import type { Activity } from '../../../trusted/catalogue/activity.ts'
import { type Form, pascalOf, serviceIntentKeyOf } from '../../../trusted/catalogue/form.ts'
import { type NamedSchemas, refTo } from './openapi-schemas.ts'
import type { JsonSchema } from '../../../trusted/catalogue/shape.ts'
import { ACTIVITY_STATUSES } from '../../../trusted/catalogue/unit.ts'

const uuid = { type: 'string', format: 'uuid' }
const plainText = { type: 'string' }
const dateTime = { type: 'string', format: 'date-time' }

/**
 * Adds the parts of every answer: the record of an activity in both published shapes, its votes, and the error body.
 * The queries name `Timestamp`, `User` and `AppProof`.
 */
export function addRecordSchemas(schemas: NamedSchemas, activities: readonly Activity[]): void {
  const forms = activities.flatMap((activity) => activity.forms)
  const intents = Object.fromEntries(forms.flatMap((form) => Object.entries(intentOf(form))))
  const results = Object.fromEntries(forms.map(({ resultKey }) => [resultKey, refTo(resultKey)]))
  schemas.add('Intent', {
    ...closed(intents, []),
    description:
      'The parameters as sent, under the key of their version; empty for a large request that was refused',
    maxProperties: 1,
  })
  schemas.add('SpecifiedResult', {
    ...closed(results, []),
    description: 'The result under its key, once there is one',
    maxProperties: 1,
  })
  schemas.add('Result', {
    ...closed({ ...results, activity: refTo('SpecifiedActivity') }, ['activity']),
    description: 'The result under its key, once there is one, and the record as specified under `activity`',
    maxProperties: 2,
  })
  schemas.add('Activity', {
    ...record({ type: ofAnyType, intent: refTo('Intent'), result: refTo('Result') }, outerTimes),
    description: 'The record of an activity as published clients read it',
  })
  schemas.add('SpecifiedActivity', {
    ...record({ type: ofAnyType, intent: refTo('Intent'), result: refTo('SpecifiedResult') }, specifiedTimes),
    description: 'The same record as the interface is specified: times as RFC 3339 text',
  })
  schemas.add('ActivityStatus', { type: 'string', enum: ACTIVITY_STATUSES })
  schemas.add('ErrorDetail', errorDetail)
  schemas.add('Vote', vote)
  schemas.add('Status', status({}))
  schemas.add('Error', status({ turnkeyErrorCode: plainText }))
}

/** The record of an activity of one version. The result is absent until it is completed. */
export function recordOf(form: Form): JsonSchema {
  const { type, resultKey } = form
  const intent = intentOf(form)
  const keys = Object.keys(intent)
  return {
    ...record(
      {
        type: { type: 'string', const: type },
        intent: { ...closed(intent, keys.length === 1 ? keys : []), minProperties: 1, maxProperties: 1 },
        result: closed({ [resultKey]: refTo(resultKey), activity: refTo('SpecifiedActivity') }, ['activity']),
      },
      outerTimes,
    ),
    description: `The record of an activity of the type ${type}`,
  }
}

export function nameOfRecord({ type }: Form): string {
  return `${pascalOf(type)}Activity`
}

/** The intent, under each key under which it may be shown. */
function intentOf({ type, intentKey }: Form): { readonly [key: string]: JsonSchema } {
  const ofService = serviceIntentKeyOf(type)
  const intent = refTo(intentKey)
  return { [intentKey]: intent, ...(ofService === undefined ? {} : { [ofService]: intent }) }
}

const ofAnyType = { ...plainText, description: 'ACTIVITY_TYPE_…, in the version that was sent' }

const specifiedTimes = { createdAt: dateTime, updatedAt: dateTime }

const outerTimes = {
  timestampMs: plainText,
  appProofs: { type: 'array', items: refTo('AppProof'), maxItems: 0 },
  createdAt: refTo('Timestamp'),
  updatedAt: refTo('Timestamp'),
}

function record(
  { type, intent, result }: { readonly [part in 'type' | 'intent' | 'result']: JsonSchema },
  times: { readonly [name: string]: JsonSchema },
): JsonSchema {
  const properties = {
    id: uuid,
    organizationId: uuid,
    status: refTo('ActivityStatus'),
    type,
    intent,
    result,
    votes: { type: 'array', items: refTo('Vote') },
    fingerprint: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
    canApprove: { type: 'boolean', description: 'Whether the caller may approve it, as of the last vote' },
    canReject: { type: 'boolean', description: 'Whether the caller may reject it, as of the last vote' },
    ...times,
  }
  return closed({ ...properties, failure: refTo('Status') }, Object.keys(properties))
}

const vote: JsonSchema = {
  ...closed(
    {
      id: uuid,
      userId: uuid,
      user: refTo('User'),
      activityId: uuid,
      selection: { type: 'string', enum: ['VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'] },
      message: plainText,
      publicKey: plainText,
      signature: plainText,
      scheme: plainText,
      createdAt: refTo('Timestamp'),
    },
    [
      'id',
      'userId',
      'user',
      'activityId',
      'selection',
      'message',
      'publicKey',
      'signature',
      'scheme',
      'createdAt',
    ],
  ),
  description:
    'An approval or a rejection, with the bytes and the stamp that prove it, and the user as they were when they voted',
}

const errorDetail = {
  type: 'object',
  required: ['@type'],
  properties: { '@type': plainText },
  description:
    'Fields by its type: BadRequest names the field that is wrong, PolicyEnginePermissionError the outcome of each policy, ' +
    'ErrorInfo the policy whose limit is reached and when there is room, ResourceInfo the record of the refused activity',
  additionalProperties: true,
}

function status(more: { readonly [name: string]: JsonSchema }): JsonSchema {
  const properties = {
    code: { type: 'integer', description: 'A status code of gRPC' },
    message: plainText,
    details: { type: 'array', items: refTo('ErrorDetail') },
  }
  return closed({ ...properties, ...more }, Object.keys(properties))
}

function closed(
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[],
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}
