import { toHex } from '../../base/bytes.ts'
import type { Steps } from '../../base/work.ts'
import { type ContractInterface, type SeenFields, UNANSWERABLE } from '../transaction.ts'
import { callSteps, ethereumInterfaceSteps } from './abi.ts'

/**
 * What the interface of the contract at `to` makes of the call: the fields `function_name`, `function_signature` and
 * `contract_call_args` of `eth.tx`. None where no interface was uploaded for that address: then a policy that names one of them
 * has no value. Where the interface has no such function, nothing can be asked of its name and arguments: naming one is a
 * failure, so that no DENY policy is passed over by a function that the interface leaves out.
 *
 * @param to  20 bytes; undefined where a contract is created, which calls none
 */
export function* seenContractCall(
  to: Uint8Array | undefined,
  data: Uint8Array,
  interfaces: readonly ContractInterface[],
): Steps<SeenFields> {
  if (to === undefined || interfaces.length === 0) return {}
  const address = `0x${toHex(to)}`
  const known = interfaces.find((each) => each.kind === 'ethereum' && each.address.toLowerCase() === address)
  if (known === undefined) return {}
  // For a single call it is quicker to look no further than to its function.
  const contract = known.readOnce && (yield* known.readOnce(ethereumInterfaceSteps))
  const call = yield* callSteps(contract ?? known.text, data)
  if (call === undefined) {
    const selector = data.subarray(0, 4)
    // Fewer bytes than a selector has call no function.
    const function_name = selector.length < 4 ? '' : UNANSWERABLE
    return { function_name, function_signature: `0x${toHex(selector)}`, contract_call_args: {} }
  }
  return {
    function_name: call.functionName,
    function_signature: call.functionSignature,
    contract_call_args: call.args,
  }
}
