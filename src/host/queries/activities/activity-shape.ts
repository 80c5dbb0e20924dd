import type { Shape } from '../../../trusted/catalogue/shape.ts'

/**
 * The record of an activity: the same object that a submission is answered with. Its parts follow from the activities
 * themselves, so that only its name is said here.
 */
export const activityShape: Shape<unknown> = {
  read: (value) => value,
  schema: { $ref: '#/components/schemas/Activity' },
}
