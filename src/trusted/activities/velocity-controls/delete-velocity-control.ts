import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import {
  velocityControlInUse,
  velocityControlNotFound,
  withoutVelocityControl,
} from '../../charter/velocity-controls.ts'

const named = object({ velocityControlId: uuid })

export const deleteVelocityControl = defineActivity({
  operation: 'delete_velocity_control',
  summary: 'Delete a velocity control that no policy refers to',
  forms: form('ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL', named, {
    key: 'deleteVelocityControlResult',
    shape: named,
  }),
  resource: 'POLICY',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [velocityControlNotFound, velocityControlInUse],
  example: {
    intent: { velocityControlId: '0198c5a0-7d3c-7000-8000-000000000007' },
    result: { velocityControlId: '0198c5a0-7d3c-7000-8000-000000000007' },
  },

  async execute({ intent: { velocityControlId }, charter, work }) {
    const amended = await work.through(withoutVelocityControl(charter, velocityControlId))
    return { result: { velocityControlId }, charter: amended }
  },
})
