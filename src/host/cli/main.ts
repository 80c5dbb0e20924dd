import { ConfigError } from '../app/config.ts'
import { WrongRootKey } from '../rotation/root-proof.ts'
import { CopyError } from '../copies/copy-error.ts'
import { EmptyStore } from '../app/empty-store.ts'
import { VaultError } from '../link/vault-link.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { StoreError } from '../store/store-error.ts'
import { commands } from './commands.ts'
import { printable } from './policies/printable.ts'
import { ServiceError } from './signed-query.ts'
import { UsageError } from './usage.ts'

async function main([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === '--version') return await main(['version', ...args])
  const asked = HELP.includes(name) ? args[0] : asksForHelp(args) ? name : undefined
  const command = commands[asked ?? name]
  if (command === undefined && (asked !== undefined || !HELP.includes(name))) {
    process.stderr.write(`claviger: there is no command "${asked ?? name}"; claviger help lists all\n`)
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
    if (!isForOperators(error)) throw error
    process.stderr.write(`claviger ${name}: ${error.message.split('\n').map(printable).join('\n')}\n`)
    return 1
  }
}

const HELP = ['help', '--help', '-h']

/** The words after `--` belong to another command. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).some((one) => one === '--help' || one === '-h')
}

const LINGER_MS = 1_000

const OPERATOR_ERRORS = [
  ConfigError,
  EmptyStore,
  WrongRootKey,
  VaultError,
  CopyError,
  StoreError,
  RootKeyError,
  UsageError,
  ServiceError,
]

/** A problem that an operator can solve is printed as a sentence; any other error is a bug and shows its stack. */
function isForOperators(error: unknown): error is Error {
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return true
  // A system error, from a port in use to a full disk, names the call and the path itself.
  return error instanceof Error && 'syscall' in error
}

// A closed standard output is not a reason to stop serving.
process.stdout.on('error', () => {})

process.exitCode = await main(process.argv.slice(2))

// An abandoned part, such as a connection to a database that does not answer, must not delay the exit.
setTimeout(() => process.exit(), LINGER_MS).unref()
