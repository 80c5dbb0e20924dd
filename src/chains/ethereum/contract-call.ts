import { toHex } from '../../base/bytes.ts'
import type { ContractInterface, SeenFields } from '../transaction.ts'
import { readCall, readEthereumInterface } from './abi.ts'

/**
 * What the interface of the contract at `to` makes of the call: the fields `function_name`, `function_signature` and
 * `contract_call_args` of `eth.tx`. None where no interface was uploaded for that address, or where it has no such
 * function; then a policy that names one of them has no value.
 *
 * @param to  20 bytes; undefined where a contract is created, which calls none
 */
export function seenContractCall(
  to: Uint8Array | undefined,
  data: Uint8Array,
  interfaces: readonly ContractInterface[],
): SeenFields {
  if (to === undefined || interfaces.length === 0) return {}
  const address = `0x${toHex(to)}`
  const known = interfaces.find((each) => each.kind === 'ethereum' && each.address.toLowerCase() === address)
  // For a single call it is quicker to look no further than to its function.
  const call = known && readCall(known.readOnce?.(readEthereumInterface) ?? known.text, data)
  if (call === undefined) return {}
  return {
    function_name: call.functionName,
    function_signature: call.functionSignature,
    contract_call_args: call.args,
  }
}
