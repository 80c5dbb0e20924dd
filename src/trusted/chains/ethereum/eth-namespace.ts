import { caselessString, dynamic, int, map, string, struct } from '../../policy/types.ts'

/** `eth`: the object to sign: an Ethereum transaction, typed data (EIP-712) or an authorization (EIP-7702). */
export const ethNamespace = {
  tx: struct({
    /** `LEGACY`, or `TYPE_1` to `TYPE_4` as EIP-2718 numbers them. */
    type: string,
    from: caselessString,
    /** Empty where a contract is created. */
    to: caselessString,
    /** Lowercase, with `0x`. */
    data: string,
    value: int,
    gas: int,
    /** The same as `max_fee_per_gas` from type 2 on. */
    gas_price: int,
    /** A condition that names it fails for a legacy transaction without a chain id, which every chain accepts. */
    chain_id: int,
    nonce: int,
    max_fee_per_gas: int,
    max_priority_fee_per_gas: int,
    max_fee_per_blob_gas: int,
    // Present where the organization has uploaded an interface of the contract, and it has the function.
    function_name: string,
    function_signature: string,
    contract_call_args: map(dynamic),
  }),
  eip_712: struct({
    primary_type: string,
    domain: struct({ name: string, version: string, chain_id: int, verifying_contract: caselessString }),
    message: map(dynamic),
  }),
  eip_7702_authorization: struct({ address: caselessString, chain_id: int, nonce: int }),
}
