import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { place, takenNames } from '../../catalogue/objects.ts'
import { label, object, oneOf, optional, text, uuid } from '../../catalogue/shape.ts'
import { INTERFACE_LENGTH_MAX, invalidContractInterface } from '../../chains/invalid-interface.ts'
import {
  contractHasInterface,
  contractKey,
  withContractInterface,
} from '../../charter/contract-interfaces.ts'
import { tooMany } from '../../charter/limits.ts'
import {
  CONTRACT_INTERFACE_TYPES,
  contractInterfaceLabelTaken,
  contractInterfaceSteps,
  contractInterfaces,
  invalidContractAddress,
  type SmartContractInterface,
} from '../../objects/contract-interface.ts'

const intent = object({
  smartContractAddress: text({ min: 1, max: 64 }),
  smartContractInterface: text({ min: 1, max: INTERFACE_LENGTH_MAX }),
  type: oneOf(CONTRACT_INTERFACE_TYPES),
  label,
  notes: optional(text({ max: 4096 })),
})

export const createSmartContractInterface = defineActivity({
  operation: 'create_smart_contract_interface',
  summary: 'Upload the interface (ABI or IDL) of a contract, so that policies can read its calls',
  forms: form('ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', intent, {
    key: 'createSmartContractInterfaceResult',
    shape: object({ smartContractInterfaceId: uuid }),
  }),
  resource: 'SMART_CONTRACT_INTERFACE',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [
    contractHasInterface,
    contractInterfaceLabelTaken,
    invalidContractAddress,
    invalidContractInterface,
    tooMany,
  ],
  example: {
    intent: {
      smartContractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      smartContractInterface:
        '[{"type":"function","name":"transfer","inputs":[{"name":"to","type":"address"},{"name":"amount","type":"uint256"}]}]',
      type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
      label: 'USDC',
      notes: 'Transfers only',
    },
    result: { smartContractInterfaceId: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  validate: async (given, _, work) => {
    await work.through(contractInterfaceSteps(given))
  },
  needs: (given) => ({ taken: takenNames([{ kind: 'CONTRACT_INTERFACE_LABEL', value: given.label }]) }),

  execute({ intent: given, charter, rows, now, newId }) {
    if (rows.taken.size > 0) throw contractInterfaceLabelTaken({ label: given.label })
    const made: SmartContractInterface = {
      notes: '',
      ...given,
      smartContractInterfaceId: newId(),
      createdAt: now,
      updatedAt: now,
    }
    const { smartContractInterfaceId, smartContractAddress } = made
    const address = contractKey(smartContractAddress)
    return {
      result: { smartContractInterfaceId },
      charter: withContractInterface(charter, { smartContractInterfaceId, address }),
      put: [place(contractInterfaces, smartContractInterfaceId, made)],
    }
  },
})
