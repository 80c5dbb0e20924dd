import { present } from '../../base/assert.ts'
import { type Account, accountsOf } from './accounts.ts'
import type { Message } from './message.ts'
import { invalidTransaction } from '../failures.ts'

/** An instruction with its account indexes resolved. */
export type Instruction = {
  /** Base58; a program is never looked up. */
  readonly program: string
  /** In the order in which the program takes them. */
  readonly accounts: readonly Account[]
  readonly data: Uint8Array
}

/** @param message  a message that `expectValidMessage` accepts */
export function resolve(message: Message): {
  readonly accounts: readonly Account[]
  readonly instructions: readonly Instruction[]
} {
  const accounts = accountsOf(message)
  const at = (index: number) => present(accounts[index], 'indexes were checked')
  const instructions = message.instructions.map(({ programIndex, accountIndexes, data }) => ({
    program: at(programIndex).address,
    accounts: Array.from(accountIndexes, at),
    data,
  }))
  return { accounts, instructions }
}

export function malformed(name: string, what: string) {
  return invalidTransaction({ what: `an instruction ${name} is malformed: ${what}` })
}
