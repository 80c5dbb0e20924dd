import { caselessString, int, list, string, struct } from '../../policy/types.ts'

/** `tempo`: a transaction of Tempo. */
export const tempoNamespace = {
  tx: struct({
    chain_id: int,
    from: caselessString,
    nonce: int,
    gas_limit: int,
    max_fee_per_gas: int,
    max_priority_fee_per_gas: int,
    /** Empty where the transaction names no token to pay fees in. */
    fee_token: caselessString,
    /** Seconds since the Unix epoch; 0 where the transaction is not bound. */
    valid_before: int,
    valid_after: int,
    /** `function_signature` is the first 4 bytes of the input, or the whole input if it is shorter. */
    calls: list(struct({ to: caselessString, input: caselessString, function_signature: string })),
  }),
}
