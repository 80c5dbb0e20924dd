import { bool, int, list, string, struct } from '../../policy/types.ts'

const permission = struct({
  type: string,
  id: int,
  permission_name: string,
  threshold: int,
  parent_id: int,
  operations: string,
  keys: list(struct({ address: string, weight: int })),
})

/** The fields of all contract types; a field that the contract's type lacks has no value. */
const contract = struct({
  type: string,
  permission_id: int,
  owner_address: string,
  to_address: string,
  amount: int,
  contract_address: string,
  call_value: int,
  data: string,
  call_token_value: int,
  token_id: int,
  resource: string,
  balance: int,
  receiver_address: string,
  lock: bool,
  lock_period: int,
  frozen_balance: int,
  unfreeze_balance: int,
  owner: permission,
  witness: permission,
  actives: list(permission),
})

/**
 * The facts of a Tron transaction for policies. Bytes are hexadecimal without `0x`, addresses base58check, amounts in
 * sun.
 */
export const tronNamespace = {
  tx: struct({
    ref_block_bytes: string,
    ref_block_hash: string,
    expiration: int,
    timestamp: int,
    data: string,
    fee_limit: int,
    contract: list(contract),
  }),
}
