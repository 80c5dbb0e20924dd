import { contractInterfaceNotFound, contractInterfaces } from '../../../trusted/objects/contract-interface.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { contractInterfaceShape, contractInterfaceView } from './contract-interface-shape.ts'

export const getSmartContractInterface = defineQuery({
  operation: 'get_smart_contract_interface',
  summary: 'Get a contract interface',
  request: object({ organizationId: organizationIdText, smartContractInterfaceId: uuid }),
  response: object({ smartContractInterface: contractInterfaceShape }),
  example: { smartContractInterfaceId: '0198c5a0-7d3c-7000-8000-000000000001' },
  answer: async ({ smartContractInterfaceId }, { charter: { organizationId }, object }) => {
    const known = await object(contractInterfaces, smartContractInterfaceId)
    if (known === undefined) throw contractInterfaceNotFound({ smartContractInterfaceId, organizationId })
    return { smartContractInterface: contractInterfaceView(organizationId, known) }
  },
})
