import { aggregation, dataSource } from '../../../trusted/activities/velocity-controls/control-params.ts'
import { label, named, object, text, uuid } from '../../../trusted/catalogue/shape.ts'
import type { VelocityControl } from '../../../trusted/charter/charter.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { times } from '../shapes.ts'

export const velocityControlShape = named(
  'VelocityControl',
  object({
    velocityControlId: uuid,
    organizationId: uuid,
    name: label,
    dataSource,
    aggregation,
    ...times,
    identifier: text({ max: 64 }),
  }),
)

/** The control as it was requested; the vault stored it as JSON. */
export function velocityControlView(organizationId: string, control: VelocityControl) {
  const { velocityControlId, name, identifier, createdAt, updatedAt } = control
  return {
    velocityControlId,
    organizationId,
    name,
    dataSource: dataSource.read(JSON.parse(control.dataSource), 'dataSource', 'strict'),
    aggregation: aggregation.read(JSON.parse(control.aggregation), 'aggregation', 'strict'),
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
    identifier,
  }
}
