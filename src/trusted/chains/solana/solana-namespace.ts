import { bool, dynamic, int, list, map, string, struct } from '../../policy/types.ts'

const tableIndexes = { writable_indexes: list(int), readonly_indexes: list(int) }
const tableReference = { address_table_key: string, index: int, writable: bool }

/** An instruction as decoded with an interface that the organization has uploaded. */
const parsedInstruction = struct({
  instruction_name: string,
  discriminator: string,
  named_accounts: map(string),
  named_account: map(string),
  program_call_args: map(dynamic),
})

const instructions = list(
  struct({
    program_key: string,
    accounts: list(struct({ account_key: string, signer: bool, writable: bool })),
    instruction_data_hex: string,
    address_table_lookups: list(struct({ ...tableReference, ...tableIndexes })),
    parsed_instruction_data: parsedInstruction,
  }),
)

/** The facts of a Solana transaction for policies; where a field has two names, both are published. */
export const solanaNamespace = {
  tx: struct({
    account_keys: list(string),
    static_account_keys: list(string),
    program_keys: list(string),
    top_level_program_keys: list(string),
    instructions,
    top_level_instructions: instructions,
    transfers: list(struct({ from: string, to: string, amount: int })),
    spl_transfers: list(
      struct({
        from: string,
        to: string,
        amount: int,
        owner: string,
        signers: list(string),
        token_mint: string,
      }),
    ),
    recent_blockhash: string,
    address_table_lookups: list(struct({ address_table_key: string, ...tableIndexes })),
    address_table_lookup_references: list(struct(tableReference)),
  }),
}
