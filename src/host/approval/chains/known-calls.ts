/** Known functions, as the text of an ABI for the reader of the chain. */
export function knownCallsAbi(): string {
  return JSON.stringify(KNOWN_CALLS.map(entryOf))
}

/**
 * Functions that many contracts have with one meaning, as their standards define them. A called contract may still
 * behave differently: the words describe only the request.
 */
const KNOWN_CALLS = [
  'transfer(address to, uint256 amount)',
  'approve(address spender, uint256 amount)',
  'transferFrom(address from, address to, uint256 amount)',
  'increaseAllowance(address spender, uint256 amount)',
  'decreaseAllowance(address spender, uint256 amount)',
  'setApprovalForAll(address operator, bool approved)',
  'safeTransferFrom(address from, address to, uint256 tokenId)',
  'safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'approve(address token, address spender, uint160 amount, uint48 expiration)',
  'deposit()',
  'withdraw(uint256 amount)',
  'upgradeTo(address implementation)',
  'upgradeToAndCall(address implementation, bytes data)',
  'changeAdmin(address admin)',
  'transferOwnership(address owner)',
  'renounceOwnership()',
  'grantRole(bytes32 role, address account)',
  'enableModule(address module)',
  'addOwnerWithThreshold(address owner, uint256 threshold)',
  'execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'multicall(bytes[] data)',
] as const

function entryOf(signature: string): object {
  const [, name, inputs = ''] = /^(\w+)\((.*)\)$/.exec(signature) ?? []
  return {
    type: 'function',
    name,
    inputs: inputs === '' ? [] : inputs.split(', ').map(inputOf),
  }
}

function inputOf(input: string): object {
  const [type, name] = input.split(' ')
  return { type, name }
}
