import { contractInterfaces } from '../../../trusted/objects/contract-interface.ts'
import { JsonText } from '../../../trusted/catalogue/json-text.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { contractInterfaceShape, contractInterfaceView } from './contract-interface-shape.ts'

/** Without pagination, as in the interface: all are listed, oldest first to the millisecond. */
export const listSmartContractInterfaces = defineQuery({
  operation: 'list_smart_contract_interfaces',
  summary: 'List the contract interfaces of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({
    smartContractInterfaces: list(contractInterfaceShape, { max: limits.contractInterfaces }),
  }),
  example: {},
  long: 'answer',
  answer: async (_, { charter: { organizationId }, listText }) => {
    const listed = await listText(contractInterfaces, (known) => contractInterfaceView(organizationId, known))
    return new JsonText(`{"smartContractInterfaces":${listed}}`)
  },
})
