import { caselessString, int, list, string, struct } from '../../policy/types.ts'

/**
 * `aptos`: a transaction of Aptos. Addresses are in the form of AIP-40, amounts in the smallest unit of their asset.
 */
export const aptosNamespace = {
  tx: struct({
    sender: caselessString,
    /** The greatest number of 64 bits where the transaction has `replay_protection_nonce` instead. */
    sequence_number: int,
    max_gas_amount: int,
    gas_unit_price: int,
    /** Seconds since the Unix epoch. */
    expiration_timestamp_secs: int,
    chain_id: int,
    /**
     * `ENTRY_FUNCTION`, `SCRIPT`, or `VOTED` for a payload that the owners of a multisig account have approved on
     * chain.
     */
    payload_type: string,
    /** For example `0x1::aptos_account::transfer`; a rule that names it fails where the payload is of another type. */
    function: string,
    /** `0x1::aptos_coin::AptosCoin`, `vector<u8>`. */
    type_arguments: list(string),
    /** Each in BCS, lowercase with `0x`. */
    arguments: list(string),
    /** Lowercase with `0x`, empty where the payload is not a script. */
    code: string,
    /** Empty where the sender acts for itself. */
    multisig_address: caselessString,
    /**
     * The payments by functions of the framework; a rule that names it fails where the payload is not an entry
     * function.
     */
    transfers: list(struct({ from: caselessString, to: caselessString, amount: int, asset: string })),
    secondary_signers: list(caselessString),
    /** Empty where the sender pays for gas. */
    fee_payer: caselessString,
    /** No value in a transaction with a sequence number. */
    replay_protection_nonce: int,
  }),
}
