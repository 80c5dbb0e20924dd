import type { Shape } from '../../catalogue/shape.ts'

/**
 * The record of an activity: the same object that a submission is answered with. Its parts follow from the activities
 * themselves, so only the outline is said here.
 */
export const activityShape: Shape<unknown> = {
  read: (value) => value,
  schema: {
    type: 'object',
    required: [
      'id',
      'organizationId',
      'status',
      'type',
      'intent',
      'result',
      'votes',
      'fingerprint',
      'canApprove',
      'canReject',
      'createdAt',
      'updatedAt',
    ],
  },
}
