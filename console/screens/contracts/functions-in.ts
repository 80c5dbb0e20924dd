import { readEthereumInterface } from '../../../src/trusted/chains/ethereum/abi.ts'
import { checkSolanaInterface, readSolanaInterface } from '../../../src/trusted/chains/solana/idl.ts'
import type { Kind } from './kinds.ts'

/** A function of a contract, or an instruction of a program. */
export type ContractFunction = {
  /** Its selector or its discriminator, in hexadecimal: what tells its calls from others. */
  readonly id: string
  readonly name: string
  /** As policies name them, with their types where the interface has the text of one. */
  readonly inputs: readonly string[]
  /** Of an instruction, in their order. */
  readonly accounts: readonly string[]
}

/**
 * The functions that an interface names, read as the vault reads it.
 *
 * @param address  of the contract; an IDL of another program is refused. Empty while it is not known.
 * @throws         Failure `invalidContractInterface` for a text that the vault refuses
 */
export function functionsIn(kind: Kind, text: string, address: string): readonly ContractFunction[] {
  if (kind === 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA') {
    if (address !== '') checkSolanaInterface(text, address)
    return [...readSolanaInterface(text).instructions].map(([id, { name, args, accountNames }]) => ({
      id,
      name,
      inputs: args.map((field) => field.name),
      accounts: accountNames,
    }))
  }
  return [...readEthereumInterface(text)].map(([id, { name, inputs }]) => ({
    id,
    name,
    inputs: inputs.map((input) => `${input.type.text} ${input.name}`.trimEnd()),
    accounts: [],
  }))
}
