import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { velocityControlShape, velocityControlView } from './control-view.ts'

export const listVelocityControls = defineQuery({
  operation: 'list_velocity_controls',
  summary: 'List the velocity controls of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ velocityControls: list(velocityControlShape, { max: limits.velocityControls }) }),
  example: {},
  answer: (_, { charter: { organizationId, velocityControls } }) => ({
    velocityControls: velocityControls.map((velocityControl) =>
      velocityControlView(organizationId, velocityControl),
    ),
  }),
})
