import { type Instruction, malformed } from './instruction.ts'
import { BATCH, TOKEN_PROGRAMS } from './token-transfers.ts'

/**
 * The instructions that a program runs for this one: those in a Batch of a token program, each with its own accounts,
 * or the instruction itself.
 *
 * @throws Failure `invalidTransaction` for a Batch that is not whole
 * @see    `process_batch` of p-token: for each instruction in it the number of accounts (1 byte), the length of the
 *         data (1 byte), the data; batches do not nest
 */
export function unbatched(instruction: Instruction): readonly Instruction[] {
  const { program, accounts, data } = instruction
  if (!TOKEN_PROGRAMS.includes(program) || data[0] !== BATCH) return [instruction]
  const inner: Instruction[] = []
  let account = 0
  let at = 1
  do {
    const accountsEnd = account + (data[at] ?? 0)
    const dataEnd = at + 2 + (data[at + 1] ?? 0)
    if (accountsEnd > accounts.length || dataEnd > data.length) throw malformed('Batch', 'it is too short')
    const one = {
      program,
      accounts: accounts.slice(account, accountsEnd),
      data: data.subarray(at + 2, dataEnd),
    }
    if (one.data[0] === BATCH) throw malformed('Batch', 'there is another one in it')
    inner.push(one)
    account = accountsEnd
    at = dataEnd
  } while (at < data.length)
  if (account < accounts.length) throw malformed('Batch', 'it has more accounts than it uses')
  return inner
}
