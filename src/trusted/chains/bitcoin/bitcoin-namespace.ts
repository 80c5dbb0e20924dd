import { caselessString, int, list, string, struct } from '../../policy/types.ts'

/**
 * The facts of a Bitcoin transaction for policies. Amounts are in satoshi, scripts hexadecimal, `tx_id` in the byte
 * order that explorers show; `address_type` is compared without regard to case.
 */
export const bitcoinNamespace = {
  tx: struct({
    version: string,
    inputs: list(struct({ tx_id: string, vout: int, sequence: int })),
    outputs: list(
      struct({ value: int, script_pubkey: string, address: string, address_type: caselessString }),
    ),
    locktime: struct({ amount: int, type: string }),
    fee: int,
  }),
}
