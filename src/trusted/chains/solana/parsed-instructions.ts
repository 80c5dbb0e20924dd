import { costs } from '../../base/costs.ts'
import type { Steps } from '../../base/work.ts'
import type { ContractInterface, SeenFields } from '../transaction.ts'
import { readInstruction, readSolanaInterface, type SolanaInterface } from './idl.ts'
import type { Instruction } from './instruction.ts'

/**
 * `parsed_instruction_data` of these instructions, in their order: undefined where the interface of the program lacks
 * the instruction. Each interface is read at most once, and only when its program is called.
 */
export function* parsedInstructions(
  instructions: readonly Instruction[],
  interfaces: readonly ContractInterface[],
): Steps<readonly (SeenFields | undefined)[]> {
  const byProgram = new Map<string, readonly SolanaInterface[]>()
  const parsed: (SeenFields | undefined)[] = []
  for (const instruction of instructions) {
    const { program } = instruction
    const known = byProgram.get(program) ?? (yield* interfacesOf(program, interfaces))
    byProgram.set(program, known)
    parsed.push(seenIn(known, instruction))
  }
  return parsed
}

function* interfacesOf(
  program: string,
  interfaces: readonly ContractInterface[],
): Steps<readonly SolanaInterface[]> {
  const found: SolanaInterface[] = []
  for (const { kind, address, text, readOnce } of interfaces) {
    if (kind !== 'solana' || address !== program) continue
    found.push(yield* readOnce?.(readInOneStep) ?? readInOneStep(text))
  }
  return found
}

function* readInOneStep(text: string): Steps<SolanaInterface> {
  yield text.length * costs.interfaceCharacter
  return readSolanaInterface(text)
}

function seenIn(known: readonly SolanaInterface[], instruction: Instruction): SeenFields | undefined {
  for (const solanaInterface of known) {
    const seen = seenAs(solanaInterface, instruction)
    if (seen !== undefined) return seen
  }
  return undefined
}

function seenAs(
  solanaInterface: SolanaInterface,
  { program, accounts, data }: Instruction,
): SeenFields | undefined {
  const addresses = accounts.map(({ address }) => address)
  const read = readInstruction(solanaInterface, program, data, addresses)
  if (read === undefined) return undefined
  return {
    instruction_name: read.instructionName,
    discriminator: read.discriminator,
    named_accounts: read.namedAccounts,
    named_account: read.namedAccounts,
    program_call_args: read.programCallArgs,
  }
}
