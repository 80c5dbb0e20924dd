import { createAgent } from './agent/create.ts'
import { listAgents } from './agent/list.ts'
import { showAgent } from './agent/show.ts'
import { WaitsForOthers } from './agent/step.ts'
import { pauseAgent, resumeAgent, revokeAgent } from './agent/stop.ts'
import { forPrograms, processTerminal, type Terminal } from './agent/terminal.ts'
import { UsageError } from './usage.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'

type Command = (args: readonly string[], terminal: Terminal) => Promise<ExitCode<CommandOf<'agent'>>>

const commands: { readonly [name: string]: Command } = {
  create: createAgent,
  list: listAgents,
  show: showAgent,
  pause: pauseAgent,
  resume: resumeAgent,
  revoke: revokeAgent,
}

/** The exit code of a command that can be continued after approvals. */
const WAITS = 3

/** `claviger agent`: unattended programs, each with rights of its own. */
export async function agent(
  [name = '', ...args]: readonly string[],
  person: Terminal = processTerminal(),
): Promise<ExitCode<CommandOf<'agent'>>> {
  const terminal = args.includes('--json') ? forPrograms(person) : person
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new UsageError(`one of: ${Object.keys(commands).join(', ')}`)
  try {
    return await command(args, terminal)
  } catch (error) {
    if (!(error instanceof WaitsForOthers)) throw error
    terminal.write(`${error.message}\nOnce that is done, the same command goes on from there.\n`)
    terminal.tell({ waits: error.message })
    return WAITS
  }
}
