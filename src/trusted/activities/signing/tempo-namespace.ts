import { int, list, string, struct, type Type } from '../../policy/types.ts'

/** `tempo`: a transaction of Tempo. */
export const tempoNamespace: Type = struct({
  tx: struct({
    chain_id: int,
    from: string,
    nonce: int,
    gas_limit: int,
    max_fee_per_gas: int,
    max_priority_fee_per_gas: int,
    /** Empty where the transaction names no token to pay fees in. */
    fee_token: string,
    /** Seconds since the Unix epoch; 0 where the transaction is not bound. */
    valid_before: int,
    valid_after: int,
    /** `function_signature` are the first 4 bytes of the input, or what there is of them. */
    calls: list(struct({ to: string, input: string, function_signature: string })),
  }),
})
