import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById } from '../../catalogue/objects.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import { withoutContractInterface } from '../../charter/contract-interfaces.ts'
import { contractInterfaceNotFound, contractInterfaces } from '../../objects/contract-interface.ts'

const ids = object({ smartContractInterfaceId: uuid })

/** Facts that were decoded with it have no value any more for calls of that contract. */
export const deleteSmartContractInterface = defineActivity({
  operation: 'delete_smart_contract_interface',
  summary: 'Delete a contract interface',
  forms: form('ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE', ids, {
    key: 'deleteSmartContractInterfaceResult',
    shape: ids,
  }),
  resource: 'SMART_CONTRACT_INTERFACE',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [contractInterfaceNotFound],
  example: {
    intent: { smartContractInterfaceId: '0198c5a0-7d3c-7000-8000-000000000001' },
    result: { smartContractInterfaceId: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  needs: ({ smartContractInterfaceId }) => ({
    interfaces: objectsById(contractInterfaces, [smartContractInterfaceId]),
  }),

  execute({ intent: { smartContractInterfaceId }, charter, rows }) {
    const [row] = rows.interfaces
    if (row === undefined) {
      const { organizationId } = charter
      throw contractInterfaceNotFound({ smartContractInterfaceId, organizationId })
    }
    return {
      result: { smartContractInterfaceId },
      charter: withoutContractInterface(charter, smartContractInterfaceId),
      remove: [row],
    }
  },
})
