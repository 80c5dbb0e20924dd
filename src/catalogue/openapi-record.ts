import type { JsonSchema } from './shape.ts'

const uuid = { type: 'string', format: 'uuid' }
const plainText = { type: 'string' }
const timestamp = { $ref: '#/components/schemas/Timestamp' }
const votes = { type: 'array', items: { $ref: '#/components/schemas/Vote' } }

const common = {
  id: uuid,
  organizationId: uuid,
  status: {
    type: 'string',
    enum: [
      'ACTIVITY_STATUS_COMPLETED',
      'ACTIVITY_STATUS_FAILED',
      'ACTIVITY_STATUS_CONSENSUS_NEEDED',
      'ACTIVITY_STATUS_REJECTED',
    ],
  },
  type: { ...plainText, description: 'ACTIVITY_TYPE_…, in the version that was sent' },
  intent: { type: 'object', description: 'What was asked for, as it was sent, under the key of its version' },
  votes,
  fingerprint: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
  canApprove: { type: 'boolean', description: 'Whether the caller may approve it now' },
  canReject: { type: 'boolean', description: 'Whether the caller may reject it now' },
  failure: { $ref: '#/components/schemas/Status' },
}

const required = Object.keys(common).filter((name) => name !== 'failure')

/** What every answer is made of: the record of an activity in both published shapes, its votes, and the error body. */
export const recordSchemas: { readonly [name: string]: JsonSchema } = {
  Activity: {
    type: 'object',
    description: 'The record of an activity as published clients read it',
    required: [...required, 'result', 'timestampMs', 'createdAt', 'updatedAt'],
    properties: {
      ...common,
      result: {
        type: 'object',
        description:
          'The result under its key once there is one, and the record as specified under `activity`',
        required: ['activity'],
        properties: { activity: { $ref: '#/components/schemas/SpecifiedActivity' } },
      },
      timestampMs: plainText,
      appProofs: { type: 'array', maxItems: 0 },
      createdAt: timestamp,
      updatedAt: timestamp,
    },
  },
  SpecifiedActivity: {
    type: 'object',
    description: 'The same record as the interface is specified: times as RFC 3339 text',
    required: [...required, 'result', 'createdAt', 'updatedAt'],
    properties: {
      ...common,
      result: { type: 'object', maxProperties: 1 },
      createdAt: { type: 'string', format: 'date-time' },
      updatedAt: { type: 'string', format: 'date-time' },
    },
  },
  Vote: {
    type: 'object',
    description: 'An approval or a rejection, with the bytes and the stamp that prove it',
    required: ['id', 'userId', 'activityId', 'selection', 'message', 'publicKey', 'signature', 'scheme'],
    properties: {
      id: uuid,
      userId: uuid,
      user: { type: 'object', description: 'The user as they were when they voted' },
      activityId: uuid,
      selection: { type: 'string', enum: ['VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'] },
      message: plainText,
      publicKey: plainText,
      signature: plainText,
      scheme: plainText,
      createdAt: timestamp,
    },
  },
  Timestamp: {
    type: 'object',
    required: ['seconds', 'nanos'],
    properties: { seconds: plainText, nanos: plainText },
  },
  Status: statusSchema({}),
  Error: statusSchema({ turnkeyErrorCode: plainText }),
}

function statusSchema(more: object): JsonSchema {
  return {
    type: 'object',
    required: ['code', 'message', 'details'],
    properties: {
      code: { type: 'integer', description: 'A status code of gRPC' },
      message: plainText,
      details: { type: 'array', items: { type: 'object', required: ['@type'] } },
      ...more,
    },
  }
}
