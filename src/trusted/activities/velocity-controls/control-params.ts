import {
  label,
  list,
  object,
  oneOf,
  optional,
  refined,
  shown,
  text,
  type TypeOf,
} from '../../catalogue/shape.ts'

/** Only its presence has a meaning. */
const nothing = object({})

const activityType = refined(text({ max: 128 }), {
  problem: (value) =>
    /^ACTIVITY_TYPE_[A-Z0-9_]+$/.test(value) ? undefined : `must be a type of activity, not ${shown(value)}`,
})

const filter = object({ activity: optional(list(object({ activityType }), { max: 20 })) })

export const dataSource = object({
  chainAssetTransfer: optional(
    object({
      definition: list(object({ caip19: text({ min: 1, max: 256 }), decimals: text({ max: 3 }) }), {
        min: 1,
        max: 20,
      }),
      filter: optional(filter),
      phase: optional(object({ signature: optional(nothing), submission: optional(nothing) })),
    }),
  ),
  activityExecution: optional(object({ filter: optional(filter) })),
})

export const aggregation = object({
  method: oneOf(['VELOCITY_CONTROL_AGGREGATION_METHOD_SUM', 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT']),
  operator: oneOf([
    'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN',
    'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
    'VELOCITY_CONTROL_AGGREGATION_OPERATOR_EQUAL',
    'VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN_OR_EQUAL',
    'VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN',
  ]),
  threshold: text({ min: 1, max: 40 }),
  window: object({
    rolling: optional(object({ duration: text({ min: 1, max: 12 }) })),
    infinite: optional(nothing),
  }),
  groupBy: object({
    organization: optional(nothing),
    user: optional(nothing),
    wallet: optional(nothing),
  }),
})

const identifier = refined(text({ min: 1, max: 64 }), {
  problem: (value) =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) && value !== 'count'
      ? undefined
      : `must be a name of letters, digits and _ that does not begin with a digit, and not "count", not ${shown(value)}`,
})

export const controlParams = object({ name: label, dataSource, aggregation, identifier })

export type ControlParams = TypeOf<typeof controlParams>
