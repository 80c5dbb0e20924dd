import { int, list, string, struct, type Vocabulary } from '../../policy/types.ts'

/**
 * What policies may name of a Bitcoin transaction. Amounts are in satoshi, scripts hexadecimal, `tx_id` in the order in
 * which explorers show it; `address_type` is compared without regard to case.
 */
export const bitcoinNamespace: Vocabulary = {
  bitcoin: struct({
    tx: struct({
      version: string,
      inputs: list(struct({ tx_id: string, vout: int, sequence: int })),
      outputs: list(struct({ value: int, script_pubkey: string, address: string, address_type: string })),
      locktime: struct({ amount: int, type: string }),
      fee: int,
    }),
  }),
}
