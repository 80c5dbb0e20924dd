import { isAbsolute, resolve } from 'node:path'
import type { ConnectionLimits } from '../http/connection-limits.ts'
import type { AuthProxyConfig } from '../auth-proxy/config.ts'
import type { RateLimitSettings } from '../http/rate-limits.ts'
import { readAuthProxyFile } from './auth-proxy-file.ts'
import { DATABASE_SETTINGS, type DatabaseLimits, databaseLimits, databaseUrl } from './database-config.ts'
import { DELIVERY_SETTINGS, type DeliveryConfig, readDeliveryConfig } from './delivery-config.ts'
import {
  connectionLimits,
  flag,
  port,
  rateLimitSettings,
  trustedProxyRanges,
  wholeNumber,
} from './network-settings.ts'
import { type Environment, readSettings } from './settings-source.ts'

/** All that an operator may set. Every name is also a name of the environment. */
export type Config = {
  readonly host: string
  readonly port: number
  /** Folder of the embedded store and of the root key; absolute. */
  readonly dataFolder: string
  /** A `postgres://` address; without it the embedded store is used. */
  readonly databaseUrl: string | undefined
  readonly databaseLimits: DatabaseLimits
  readonly rootKeyPath: string
  readonly passphrasePath: string | undefined
  readonly passphrase: string | undefined
  /** Addresses and CIDR blocks of proxies that are believed about where a request came from. */
  readonly trustedProxies: readonly string[]
  readonly delivery: DeliveryConfig
  readonly authProxy: readonly AuthProxyConfig[]
  readonly connections: ConnectionLimits
  /** It may serve without the native library for secp256k1. */
  readonly allowSlowSecp256k1: boolean
  /** How long it goes on serving after it was told to stop, so that balancers notice. */
  readonly drainMs: number
  /** Undefined when there are to be none. */
  readonly rateLimits: RateLimitSettings | undefined
}

const SETTINGS = [
  'CLAVIGER_HOST',
  'CLAVIGER_PORT',
  'CLAVIGER_DATA',
  ...DATABASE_SETTINGS,
  'CLAVIGER_ROOT_KEY',
  'CLAVIGER_ROOT_PASSPHRASE',
  'CLAVIGER_ROOT_PASSPHRASE_FILE',
  'CLAVIGER_TRUSTED_PROXIES',
  'CLAVIGER_AUTH_PROXY',
  'CLAVIGER_RATE_LIMITS',
  'CLAVIGER_ALLOW_SLOW_SECP256K1',
  'CLAVIGER_CONNECTIONS',
  'CLAVIGER_CONNECTIONS_PER_ADDRESS',
  'CLAVIGER_DRAIN_SECONDS',
  'CLAVIGER_CONFIG',
  ...DELIVERY_SETTINGS,
] as const

/** Everything that is wrong with the configuration, all at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `the configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

/**
 * Reads the settings: the environment first, then the file that `CLAVIGER_CONFIG` names (lines of `NAME=value`), then defaults.
 *
 * @throws ConfigError with every problem found
 */
export function readConfig(environment: Environment, workingFolder: string): Config {
  const problems: string[] = []
  const settings = readSettings(environment, problems)
  for (const name of Object.keys(settings)) {
    if (!SETTINGS.some((known) => known === name)) problems.push(`${name} is not a setting`)
  }
  const dataFolder = resolve(workingFolder, settings['CLAVIGER_DATA'] ?? '.claviger')
  const absolute = (path: string | undefined): string | undefined =>
    path === undefined || isAbsolute(path) ? path : resolve(workingFolder, path)
  const authProxyPath = absolute(settings['CLAVIGER_AUTH_PROXY'])
  const config: Config = {
    host: settings['CLAVIGER_HOST'] ?? '127.0.0.1',
    port: port(settings['CLAVIGER_PORT'] ?? '4400', problems),
    dataFolder,
    databaseUrl: databaseUrl(settings, problems),
    databaseLimits: databaseLimits(settings, problems),
    rootKeyPath: absolute(settings['CLAVIGER_ROOT_KEY']) ?? resolve(dataFolder, 'root.key'),
    passphrasePath: absolute(settings['CLAVIGER_ROOT_PASSPHRASE_FILE']),
    passphrase: settings['CLAVIGER_ROOT_PASSPHRASE'],
    trustedProxies: trustedProxyRanges(settings['CLAVIGER_TRUSTED_PROXIES'], problems),
    delivery: readDeliveryConfig(settings, problems),
    authProxy: authProxyPath === undefined ? [] : readAuthProxyFile(authProxyPath, problems),
    connections: connectionLimits(settings, problems),
    allowSlowSecp256k1: flag('CLAVIGER_ALLOW_SLOW_SECP256K1', settings, problems),
    drainMs:
      wholeNumber('CLAVIGER_DRAIN_SECONDS', settings, problems, { least: 0, most: 600, unset: 5 }) * 1_000,
    rateLimits: rateLimitSettings(settings['CLAVIGER_RATE_LIMITS'], problems),
  }
  if (config.passphrase !== undefined && config.passphrasePath !== undefined)
    problems.push('CLAVIGER_ROOT_PASSPHRASE and CLAVIGER_ROOT_PASSPHRASE_FILE are both set: set one')
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}
