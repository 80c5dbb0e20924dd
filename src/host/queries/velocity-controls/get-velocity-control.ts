import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownVelocityControl } from '../../../trusted/charter/velocity-controls.ts'
import { velocityControlShape, velocityControlView } from './control-view.ts'

export const getVelocityControl = defineQuery({
  operation: 'get_velocity_control',
  summary: 'Get a velocity control',
  request: object({ organizationId: organizationIdText, velocityControlId: uuid }),
  response: object({ velocityControl: velocityControlShape }),
  example: { velocityControlId: '0198c5a0-7d3c-7000-8000-000000000007' },
  answer: ({ velocityControlId }, { charter }) => ({
    velocityControl: velocityControlView(
      charter.organizationId,
      knownVelocityControl(charter, velocityControlId),
    ),
  }),
})
