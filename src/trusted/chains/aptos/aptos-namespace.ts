import { caselessString, int, list, string, struct } from '../../policy/types.ts'

/** `aptos`: a transaction of Aptos. Addresses are in the form of AIP-40, amounts in the smallest unit of their asset. */
export const aptosNamespace = {
  tx: struct({
    sender: caselessString,
    /** The greatest number of 64 bits where `replay_protection_nonce` stands in its place. */
    sequence_number: int,
    max_gas_amount: int,
    gas_unit_price: int,
    /** Seconds since the Unix epoch. */
    expiration_timestamp_secs: int,
    chain_id: int,
    /** `ENTRY_FUNCTION`, `SCRIPT`, or `VOTED` for what the owners of a multisig account have voted for on chain. */
    payload_type: string,
    /** `0x1::aptos_account::transfer`; nothing can be asked of it where the payload is of another type. */
    function: string,
    /** `0x1::aptos_coin::AptosCoin`, `vector<u8>`. */
    type_arguments: list(string),
    /** Each in BCS, lowercase with `0x`. */
    arguments: list(string),
    /** Lowercase with `0x`, empty where the payload is no script. */
    code: string,
    /** Empty where the sender acts for itself. */
    multisig_address: caselessString,
    /** What functions of the framework pay; nothing can be asked of it where the payload is no entry function. */
    transfers: list(struct({ from: caselessString, to: caselessString, amount: int, asset: string })),
    secondary_signers: list(caselessString),
    /** Empty where the sender pays for gas. */
    fee_payer: caselessString,
    /** No value in a transaction with a sequence number. */
    replay_protection_nonce: int,
  }),
}
