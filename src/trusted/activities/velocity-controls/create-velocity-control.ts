import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import { tooMany } from '../../charter/limits.ts'
import { controlIdentifierTaken, withVelocityControl } from '../../charter/velocity-controls.ts'
import { controlExpression, controlNotBuilt } from './control-expression.ts'
import { controlParams } from './control-params.ts'

/** docs/decisions/velocity-controls.md */
export const createVelocityControl = defineActivity({
  operation: 'create_velocity_control',
  summary: 'Create a velocity control: a limit on usage that policies refer to by name',
  forms: form('ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL', controlParams, {
    key: 'createVelocityControlResult',
    shape: object({ velocityControlId: uuid }),
  }),
  resource: 'POLICY',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [controlNotBuilt, controlIdentifierTaken, tooMany],
  example: {
    intent: {
      name: 'An ether a day',
      identifier: 'daily_ether',
      dataSource: { chainAssetTransfer: { definition: [{ caip19: 'eip155:1/slip44:60', decimals: '18' }] } },
      aggregation: {
        method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM',
        operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
        threshold: '1',
        window: { rolling: { duration: '86400' } },
        groupBy: { organization: {} },
      },
    },
    result: { velocityControlId: '0198c5a0-7d3c-7000-8000-000000000007' },
  },
  validate: (intent) => {
    controlExpression(intent)
  },

  execute({ intent, charter, now, newId }) {
    const velocityControlId = newId()
    const { name, identifier, dataSource, aggregation } = intent
    const control = {
      velocityControlId,
      name,
      identifier,
      dataSource: JSON.stringify(dataSource),
      aggregation: JSON.stringify(aggregation),
      expression: controlExpression(intent),
      createdAt: now,
      updatedAt: now,
    }
    return { result: { velocityControlId }, charter: withVelocityControl(charter, control) }
  },
})
