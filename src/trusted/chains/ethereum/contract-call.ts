import { toHex } from '../../base/bytes.ts'
import type { Steps } from '../../base/work.ts'
import { type ContractInterface, type SeenFields, UNANSWERABLE } from '../transaction.ts'
import { callSteps, ethereumInterfaceSteps } from './abi.ts'

/**
 * The call, decoded with the interface of the contract at `to`: the fields `function_name`, `function_signature` and
 * `contract_call_args` of `eth.tx`. Without an uploaded interface for that address the fields are absent. Where the
 * interface lacks the function, a rule that names its name or arguments fails, so that no DENY policy is skipped
 * because of an incomplete interface.
 *
 * @param to  20 bytes; undefined where a contract is created
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
  // For a single call it is faster to read no further than to its function.
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
