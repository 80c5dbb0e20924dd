import type { Shape } from '../../../trusted/catalogue/shape.ts'

/**
 * The record of an activity: the same object as in the answer to a submission. Its parts follow from the activities
 * themselves, so this shape has only its name.
 */
export const activityShape: Shape<unknown> = {
  read: (value) => value,
  schema: { $ref: '#/components/schemas/Activity' },
}
