import type { ContractInterface, SeenFields } from '../transaction.ts'
import { readInstruction, readSolanaInterface, type SolanaInterface } from './idl.ts'
import type { Instruction } from './instruction.ts'

/**
 * `parsed_instruction_data` of the instructions of one transaction. Each interface is read at most once, and only when
 * its program is called.
 *
 * @returns  gives undefined where no interface of the program has the instruction
 */
export function parsedInstructions(
  interfaces: readonly ContractInterface[],
): (instruction: Instruction) => SeenFields | undefined {
  const byProgram = new Map<string, readonly SolanaInterface[]>()
  return (instruction) => {
    const { program } = instruction
    const known = byProgram.get(program) ?? interfacesOf(program, interfaces)
    byProgram.set(program, known)
    for (const one of known) {
      const seen = seenAs(one, instruction)
      if (seen !== undefined) return seen
    }
    return undefined
  }
}

function interfacesOf(program: string, interfaces: readonly ContractInterface[]): SolanaInterface[] {
  return interfaces
    .filter(({ kind, address }) => kind === 'solana' && address === program)
    .map(({ text, readOnce }) => readOnce?.(readSolanaInterface) ?? readSolanaInterface(text))
}

function seenAs(one: SolanaInterface, { program, accounts, data }: Instruction): SeenFields | undefined {
  const addresses = accounts.map(({ address }) => address)
  const read = readInstruction(one, program, data, addresses)
  if (read === undefined) return undefined
  return {
    instruction_name: read.instructionName,
    discriminator: read.discriminator,
    named_accounts: read.namedAccounts,
    named_account: read.namedAccounts,
    program_call_args: read.programCallArgs,
  }
}
