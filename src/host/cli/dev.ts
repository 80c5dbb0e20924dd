import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert, present } from '../../trusted/base/assert.ts'
import { toHex } from '../../trusted/base/bytes.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Config } from '../app/config.ts'
import { checkPort } from '../app/check-port.ts'
import { ConfigError } from '../app/config-error.ts'
import { replaceFile } from '../app/file-beside.ts'
import { SHUTDOWN_MS_MAX } from '../app/drain.ts'
import { checkNamedFiles } from '../app/named-files.ts'
import { jsonLog } from '../app/log.ts'
import type { Service } from '../app/service.ts'
import { startVault } from '../app/start-vault.ts'
import { generateP256Secret, p256PublicKeyOf } from '../../trusted/crypto/p256.ts'
import { openInbox } from '../delivery/inbox.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { hasOrganization, hasOrganizations } from './has-organizations.ts'
import { ensureRootKeyFile } from './root-key-file.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'
import { untilStopped } from './until-stopped.ts'
import type { ExitCode } from './exit-codes.ts'

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

/**
 * `claviger dev`: a service with everything that a newcomer needs, made at the first start; never on an address that
 * other machines reach.
 */
export async function dev(config: Config, args: readonly string[]): Promise<ExitCode<'dev'>> {
  readArguments(args, {})
  refuseOtherAddresses(config)
  const stopped = untilStopped(SHUTDOWN_MS_MAX)
  if (config.vaultPath !== undefined)
    throw new ConfigError([
      'CLAVIGER_VAULT is set: development mode makes a root key and a vault of its own; use claviger serve',
    ])
  await checkNamedFiles(config)
  await checkPort(config)
  await refuseOthersData(config)
  await ensureRootKeyFile(config)
  const reaching = reachingThisMachine(config)
  const vault = startVault(reaching)
  const { startService } = await import('../app/service.ts')
  const log = jsonLog((line) => process.stdout.write(line), realWorld.now)
  const inbox = openInbox(realWorld.now)
  const service = await startService(reaching, log, { inbox, allowEmpty: true, vault })
  const envPath = devEnvPath(config)
  if (!existsSync(envPath)) await firstStart(service, envPath)
  else refreshUrl(envPath, service.url)
  process.stdout.write(greeting(relative(process.cwd(), envPath) || envPath, service))
  await serveUntilStopped(service, stopped)
  return 0
}

function refuseOtherAddresses({ host, operator }: Config): void {
  const addresses = { CLAVIGER_HOST: host, CLAVIGER_OPERATOR_HOST: operator.host }
  const problems = Object.entries(addresses).flatMap(([name, address]) =>
    LOOPBACK.includes(address)
      ? []
      : [`${name} is ${address}: development mode listens on loopback only; use claviger serve`],
  )
  if (problems.length > 0) throw new ConfigError(problems)
}

/** The file in which the first start leaves the ids and the key of the root user. */
export function devEnvPath({ dataFolder }: Config): string {
  return join(dataFolder, 'dev.env')
}

/** Data that another command has made is not for development, and its key file is of use beside its own data alone. */
async function refuseOthersData(config: Config): Promise<void> {
  const envPath = devEnvPath(config)
  if (existsSync(envPath)) {
    const [, organizationId = ''] = /^ORGANIZATION_ID=(.*)$/m.exec(readFileSync(envPath, 'utf8')) ?? []
    if (!(await hasOrganization(config, organizationId)))
      throw new CommandError(
        `${envPath} is the key file of the organization ${organizationId}, which is not in the data: remove the file, ` +
          'and claviger dev makes another organization, or bring that data back',
      )
  } else if (await hasOrganizations(config))
    throw new CommandError(
      `the data in ${config.databaseUrl === undefined ? config.dataFolder : 'this database'} has organizations that claviger dev has not made: ` +
        'serve it with claviger serve, or let CLAVIGER_DATA name another folder for development',
    )
}

/** A developer's webhooks and issuers are on the same machine, there is no balancer, and no data has value. */
function reachingThisMachine(config: Config): Config {
  return {
    ...config,
    drainMs: 0,
    allowSlowSecp256k1: true,
    delivery: { ...config.delivery, allowPrivateTargets: true },
  }
}

async function firstStart(service: Service, envPath: string): Promise<void> {
  const secret = generateP256Secret(realWorld.randomBytes)
  const publicKey = p256PublicKeyOf(secret)
  const { host } = service
  const keys = await host.vault.serviceKeys()
  const established = await host.vault.establish({
    organizationName: 'Development',
    userName: 'Root',
    apiKeyName: 'Development key',
    publicKey,
    curveType: 'API_KEY_CURVE_P256',
  })
  const lines = {
    BASE_URL: service.url,
    ORGANIZATION_ID: established.organizationId,
    ROOT_USER_ID: established.userId,
    API_PUBLIC_KEY: publicKey,
    API_PRIVATE_KEY: toHex(secret),
    SIGNER_PUBLIC_KEY: keys.signer,
    SESSION_PUBLIC_KEY: keys.session,
    OTP_PUBLIC_KEY: keys.otp,
    WEBHOOK_PUBLIC_KEY: keys.webhook,
  }
  const text = Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
  // First: without the organization the file can be removed, and without the file nobody could use the organization.
  replaceFile(envPath, text)
  const outcome = await host.commits.commit(established)
  assert(outcome.kind === 'committed', 'nobody else has this new id')
}

/** The port may differ from that of the first start. */
function refreshUrl(envPath: string, url: string): void {
  const text = readFileSync(envPath, 'utf8')
  const current = text.replace(/^BASE_URL=.*$/m, `BASE_URL=${url}`)
  if (current !== text) replaceFile(envPath, current)
}

/** The path is the same in a clone and in the package. */
const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url))

function greeting(envPath: string, { url, consoleUrl }: Pick<Service, 'url' | 'consoleUrl'>): string {
  const file = present(envPath, 'the path of dev.env')
  const run = (name: string): string =>
    `  node ${forShell(relative(process.cwd(), join(EXAMPLES, name)))} ${forShell(file)}`
  const aboutConsole = `
A transfer that needs a second person:

${run('two-people.js')}${isElsewhere(consoleUrl, url) ? ` ${consoleUrl}` : ''}

The console, where ${file} signs in: ${consoleUrl}`
  return `
Claviger, DEVELOPMENT MODE: loopback only, and the API key of the root user lies in ${file}. Do not put anything of value in here.
Listening on ${url}. The first signature, from another terminal in this folder:

${run('first-signature.js')}
${consoleUrl === undefined ? '' : aboutConsole}
Mail and text messages that would be sent: ${url}/dev/inbox
Stop with Ctrl-C. For production: claviger init, claviger serve (see README.md).
`
}

/** On a port of its own, which no file names. */
function isElsewhere(consoleUrl: string | undefined, url: string): boolean {
  return consoleUrl !== undefined && new URL(consoleUrl).port !== new URL(url).port
}

/** As one word for a shell, quoted if necessary. */
function forShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
