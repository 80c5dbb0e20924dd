import { ConfigError, readConfig } from '../app/config.ts'
import { packageVersion } from '../app/package-version.ts'
import { WrongRootKey } from '../rotation/root-proof.ts'
import { CopyError } from '../copies/copy-error.ts'
import { EmptyStore } from '../app/empty-store.ts'
import { VaultError } from '../link/vault-link.ts'
import { RootKeyError } from '../../trusted/vault/root-key-error.ts'
import { StoreError } from '../store/store-error.ts'
import { keepCompiled } from './keep-compiled.ts'
import { ServiceError } from './signed-query.ts'
import { UsageError } from './usage.ts'

/** Each is imported when it runs: none waits for what only others need. */
const commands: { readonly [name: string]: (args: readonly string[]) => Promise<number> } = {
  dev: async (args) => await (await import('./dev.ts')).dev(readConfig(process.env, process.cwd()), args),
  init: async (args) => await (await import('./init.ts')).init(readConfig(process.env, process.cwd()), args),
  serve: async (args) =>
    await (await import('./serve.ts')).serve(readConfig(process.env, process.cwd()), args),
  vault: async (args) =>
    await (await import('./vault.ts')).vault(readConfig(process.env, process.cwd()), args),
  console: async (args) => await (await import('./console.ts')).consoleCommand(args),
  doctor: async (args) => await (await import('./doctor.ts')).doctor(process.env, process.cwd(), args),
  verify: async (args) =>
    await (await import('./verify.ts')).verify(readConfig(process.env, process.cwd()), args),
  backup: async (args) =>
    await (await import('./backup.ts')).backup(readConfig(process.env, process.cwd()), args),
  archive: async (args) =>
    await (await import('./archive.ts')).archive(readConfig(process.env, process.cwd()), args),
  organization: async (args) =>
    await (await import('./organization.ts')).organization(readConfig(process.env, process.cwd()), args),
  restore: async (args) =>
    await (await import('./restore.ts')).restore(readConfig(process.env, process.cwd()), args),
  upgrade: async (args) =>
    await (await import('./upgrade.ts')).upgrade(readConfig(process.env, process.cwd()), args),
  move: async (args) => await (await import('./move.ts')).move(readConfig(process.env, process.cwd()), args),
  emulate: async (args) => {
    keepCompiled()
    return await (await import('./emulate.ts')).emulate(process.env, args)
  },
  mcp: async (args) => await (await import('./mcp.ts')).mcp(args),
  policies: async (args) => await (await import('./policies.ts')).policies(args),
  approve: async (args) => await (await import('./approve.ts')).approve(args),
  secret: async (args) => await (await import('./secret.ts')).secret(args),
  agent: async (args) => await (await import('./agent.ts')).agent(args),
  'root-key': async (args) =>
    await (await import('./root-key.ts')).rootKey(readConfig(process.env, process.cwd()), args),
  recovery: async (args) =>
    await (await import('./recovery.ts')).recovery(readConfig(process.env, process.cwd()), args),
  unseal: async (args) => await (await import('./unseal.ts')).unsealCommand(process.env, process.cwd(), args),
  'service-key': async (args) =>
    await (await import('./service-key.ts')).serviceKey(readConfig(process.env, process.cwd()), args),
  quota: async (args) =>
    await (await import('./quota.ts')).quota(readConfig(process.env, process.cwd()), args),
  webhooks: async (args) =>
    await (await import('./webhooks.ts')).webhooks(readConfig(process.env, process.cwd()), args),
}

async function main([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === 'version' || name === '--version') {
    process.stdout.write(`claviger ${packageVersion()}\n`)
    return 0
  }
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
    process.stderr.write(`claviger ${name}: ${error.message}\n`)
    return 1
  }
}

const HELP = ['help', '--help', '-h']

/** What follows `--` is somebody else's command. */
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

/** What an operator can mend is told as a sentence; anything else is a bug and shows its stack. */
function isForOperators(error: unknown): error is Error {
  if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return true
  // What the system refuses, from a taken port to a full disk, names the call and the path itself.
  return error instanceof Error && 'syscall' in error
}

// A log that nobody reads any more is no reason to stop serving.
process.stdout.on('error', () => {})

process.exitCode = await main(process.argv.slice(2))

// What was given up on, such as a connection to a database that does not answer, keeps nobody waiting.
setTimeout(() => process.exit(), LINGER_MS).unref()
