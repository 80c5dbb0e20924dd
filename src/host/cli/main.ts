import { commands } from './commands.ts'
import { exitCodeOf } from './exit-code-of.ts'
import { noticeLostOutput } from './lost-output.ts'
import { messageOf } from './message-of.ts'
import { printable } from './policies/printable.ts'

async function main([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === '--version') return await main(['version', ...args])
  const asked = HELP.includes(name) ? args[0] : asksForHelp(args) ? name : undefined
  const wanted = asked ?? name
  const command = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined
  if (command === undefined && (asked !== undefined || !HELP.includes(name))) {
    process.stderr.write(`claviger: there is no command "${wanted}"; claviger help lists all\n`)
    return 2
  }
  if (command === undefined || asked !== undefined) {
    const { helpOf, usageText } = await import('./usage-text.ts')
    process.stdout.write(asked === undefined ? usageText() : helpOf(asked))
    return 0
  }
  try {
    return await command(args)
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === undefined) throw error
    process.stderr.write(`claviger ${name}: ${messageOf(error).split('\n').map(printable).join('\n')}\n`)
    return code
  }
}

const HELP = ['help', '--help', '-h']

/** The words after `--` belong to another command. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).some((one) => one === '--help' || one === '-h')
}

const LINGER_MS = 1_000

noticeLostOutput(process.argv[2])

process.exitCode = await main(process.argv.slice(2))

// An abandoned part, such as a connection to a database that does not answer, must not delay the exit.
setTimeout(() => process.exit(), LINGER_MS).unref()
