import {
  CONTRACT_INTERFACE_TYPES,
  type SmartContractInterface,
} from '../../../trusted/objects/contract-interface.ts'
import { label, named, object, oneOf, text, uuid } from '../../../trusted/catalogue/shape.ts'
import { INTERFACE_LENGTH_MAX } from '../../../trusted/chains/invalid-interface.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { times } from '../shapes.ts'

export const contractInterfaceShape = named(
  'SmartContractInterface',
  object({
    organizationId: uuid,
    smartContractInterfaceId: uuid,
    smartContractAddress: text({ max: 64 }),
    smartContractInterface: text({ max: INTERFACE_LENGTH_MAX }),
    type: oneOf(CONTRACT_INTERFACE_TYPES),
    label,
    notes: text({ max: 4096 }),
    ...times,
  }),
)

export function contractInterfaceView(
  organizationId: string,
  { createdAt, updatedAt, ...known }: SmartContractInterface,
) {
  return { organizationId, ...known, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
