import { readFileSync } from 'node:fs'
import { ConfigError, readConfig } from '../app/config.ts'
import { WrongRootKey } from '../app/root-proof.ts'
import { EmptyStore } from '../app/service.ts'
import { settingsHelp } from '../app/settings/settings-pages.ts'
import { VaultError } from '../link/vault-link.ts'
import { StoreError } from '../store/store-error.ts'
import { dev } from './dev.ts'
import { doctor } from './doctor.ts'
import { init } from './init.ts'
import { policies } from './policies.ts'
import { serve } from './serve.ts'
import { ServiceError } from './signed-query.ts'
import { UsageError } from './usage.ts'
import { webhooks } from './webhooks.ts'

const USAGE = `claviger: an open, self-hosted key management service

  claviger dev      start for development: embedded store in ./.claviger, loopback only, everything made at the first start
  claviger init     make the root key (where there is none) and the first organization of a production instance
                      --organization NAME --user NAME --public-key HEX [--curve P256|SECP256K1|ED25519]
                      where there is an organization it makes nothing; --another makes one more
  claviger serve    start for production, on data that was initialised; --allow-empty also where there is no organization yet
  claviger doctor   look at configuration, root key and store, and say what is wrong
  claviger version  say which version this is
  claviger webhooks backlog | dead [--after NUMBER]
                    how much waits to be delivered; what was given up, and why
  claviger webhooks redeliver NUMBER… | --all-dead | --organization ID --endpoint ID --from TIME --to TIME
                    deliver again: what was given up, or all events of a time; the endpoint of the older kind is FEATURE_NAME_WEBHOOK
  claviger policies lint POLICIES.json [--guard] [--json]
                    what the author of these policies should look at; --guard: raw signing has to be granted by name
  claviger policies test TESTS.json [--json]
                    whether policies decide as a file of tests expects (neither needs a service: docs/policy-tools.md)
  claviger policies try REQUEST.json [--user ID] [--approver ID]… [--draft POLICIES.json [--instead]] [--explain]
                    what would happen to a request, and which policy says so, without making it
  claviger policies replay POLICIES.json [--instead] [--limit NUMBER (1000) | --all]
                    which recorded activities these policies would decide otherwise
  claviger policies explain ACTIVITY
                    why an activity was allowed or refused, down to each value
                    (these three ask a running service: --as FILE has BASE_URL, ORGANIZATION_ID and the API key, as
                    .claviger/dev.env does, or the environment has; --json)

Settings (default), by the environment or in the file that CLAVIGER_CONFIG names:
${settingsHelp()}
`

const commands: { readonly [name: string]: (args: readonly string[]) => Promise<number> } = {
  dev: async (args) => await dev(readConfig(process.env, process.cwd()), args),
  init: async (args) => await init(readConfig(process.env, process.cwd()), args),
  serve: async (args) => await serve(readConfig(process.env, process.cwd()), args),
  doctor: async (args) => await doctor(process.env, process.cwd(), args),
  policies,
  webhooks: async (args) => await webhooks(readConfig(process.env, process.cwd()), args),
}

async function main([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === 'version' || name === '--version') {
    process.stdout.write(`claviger ${versionOf(new URL('../../../package.json', import.meta.url))}\n`)
    return 0
  }
  const command = commands[name]
  if (command === undefined) {
    process.stdout.write(USAGE)
    return name === 'help' || name === '--help' ? 0 : 2
  }
  try {
    return await command(args)
  } catch (error) {
    if (!isForOperators(error)) throw error
    process.stderr.write(`claviger ${name}: ${error.message}\n`)
    return 1
  }
}

function versionOf(packageFile: URL): string {
  // It is ours, and names a version.
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string }).version
}

const LINGER_MS = 1_000

const OPERATOR_ERRORS = [
  ConfigError,
  EmptyStore,
  WrongRootKey,
  VaultError,
  StoreError,
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
