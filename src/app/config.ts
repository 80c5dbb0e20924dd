import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { DELIVERY_SETTINGS, type DeliveryConfig, readDeliveryConfig } from './delivery-config.ts'

/** All that an operator may set. Every name is also a name of the environment. */
export type Config = {
  readonly host: string
  readonly port: number
  /** Folder of the embedded store and of the root key; absolute. */
  readonly dataFolder: string
  /** A `postgres://` address; without it the embedded store is used. */
  readonly databaseUrl: string | undefined
  readonly rootKeyPath: string
  readonly passphrasePath: string | undefined
  readonly passphrase: string | undefined
  readonly delivery: DeliveryConfig
}

export type Environment = { readonly [name: string]: string | undefined }

const SETTINGS = [
  'CLAVIGER_HOST',
  'CLAVIGER_PORT',
  'CLAVIGER_DATA',
  'CLAVIGER_DATABASE_URL',
  'CLAVIGER_ROOT_KEY',
  'CLAVIGER_ROOT_PASSPHRASE',
  'CLAVIGER_ROOT_PASSPHRASE_FILE',
  'CLAVIGER_CONFIG',
  ...DELIVERY_SETTINGS,
] as const

/** Everything that is wrong with the configuration, all at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `the configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((one) => `  - ${one}`).join('\n')}`,
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
  const settings = { ...fileSettings(environment['CLAVIGER_CONFIG'], problems), ...set(environment) }
  for (const name of Object.keys(settings)) {
    if (name.startsWith('CLAVIGER_') && !SETTINGS.some((known) => known === name))
      problems.push(`${name} is not a setting`)
  }
  const dataFolder = resolve(workingFolder, settings['CLAVIGER_DATA'] ?? '.claviger')
  const absolute = (path: string | undefined): string | undefined =>
    path === undefined || isAbsolute(path) ? path : resolve(workingFolder, path)
  const config: Config = {
    host: settings['CLAVIGER_HOST'] ?? '127.0.0.1',
    port: port(settings['CLAVIGER_PORT'] ?? '4400', problems),
    dataFolder,
    databaseUrl: databaseUrl(settings['CLAVIGER_DATABASE_URL'], problems),
    rootKeyPath: absolute(settings['CLAVIGER_ROOT_KEY']) ?? resolve(dataFolder, 'root.key'),
    passphrasePath: absolute(settings['CLAVIGER_ROOT_PASSPHRASE_FILE']),
    passphrase: settings['CLAVIGER_ROOT_PASSPHRASE'],
    delivery: readDeliveryConfig(settings, problems),
  }
  if (config.passphrase !== undefined && config.passphrasePath !== undefined)
    problems.push('CLAVIGER_ROOT_PASSPHRASE and CLAVIGER_ROOT_PASSPHRASE_FILE are both set: set one')
  if (config.passphrase === '') problems.push('CLAVIGER_ROOT_PASSPHRASE is empty')
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function set(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment).filter(([name]) => name.startsWith('CLAVIGER_'))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function fileSettings(path: string | undefined, problems: string[]): Record<string, string> {
  if (path === undefined) return {}
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    problems.push(
      `CLAVIGER_CONFIG names ${path}, which cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
    return {}
  }
  const settings: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    const bare = line.trim()
    if (bare === '' || bare.startsWith('#')) continue
    const parts = /^([A-Z_]+)\s*=\s*(.*)$/.exec(bare)
    if (parts?.[1] === undefined)
      problems.push(`${path}, line ${index + 1}: it is not of the form NAME=value`)
    else if (!parts[1].startsWith('CLAVIGER_'))
      problems.push(`${path}, line ${index + 1}: ${parts[1]} is not a setting`)
    else settings[parts[1]] = parts[2] ?? ''
  }
  return settings
}

function port(text: string, problems: string[]): number {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value > 65_535)
    problems.push(`CLAVIGER_PORT is ${JSON.stringify(text)}: it must be a number from 0 to 65535`)
  return value
}

/** The address is never quoted: it may hold a password. */
function databaseUrl(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    problems.push(
      'CLAVIGER_DATABASE_URL is not an address of the form postgres://user:password@host:port/database',
    )
  return text
}
