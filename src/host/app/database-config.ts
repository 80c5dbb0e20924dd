import { postgresAddresses } from '../store/postgres-address.ts'
import type { PostgresOptions } from '../store/postgres-connection.ts'
import type { Settings } from './settings-source.ts'

/** How much of PostgreSQL a host takes, and how long it waits; what is not set has its default there. */
export type DatabaseLimits = Pick<
  PostgresOptions,
  'connectionsMax' | 'listConnectionsMax' | 'connectMs' | 'statementMs' | 'listMs'
>

export const DATABASE_SETTINGS = [
  'CLAVIGER_DATABASE_URL',
  'CLAVIGER_DATABASE_CONNECTIONS',
  'CLAVIGER_DATABASE_LIST_CONNECTIONS',
  'CLAVIGER_DATABASE_CONNECT_SECONDS',
  'CLAVIGER_DATABASE_STATEMENT_SECONDS',
  'CLAVIGER_DATABASE_LIST_SECONDS',
] as const

/** The address is never quoted: it may hold a password. */
export function databaseUrl(settings: Settings, problems: string[]): string | undefined {
  const url = settings['CLAVIGER_DATABASE_URL']
  if (url !== undefined && postgresAddresses(url) === undefined)
    problems.push(
      'CLAVIGER_DATABASE_URL is not an address of the form postgres://user:password@host:port/database, with several hosts between commas; of target_session_attrs it takes read-write, primary and any',
    )
  return url
}

export function databaseLimits(settings: Settings, problems: string[]): DatabaseLimits {
  const number = (name: (typeof DATABASE_SETTINGS)[number], max: number): number | undefined => {
    const text = settings[name]
    if (text === undefined) return undefined
    if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > max)
      problems.push(`${name} is ${JSON.stringify(text)}: it must be a whole number from 1 to ${max}`)
    return Number(text)
  }
  const limits = {
    connectionsMax: number('CLAVIGER_DATABASE_CONNECTIONS', CONNECTIONS_MAX),
    listConnectionsMax: number('CLAVIGER_DATABASE_LIST_CONNECTIONS', CONNECTIONS_MAX),
    connectMs: inMs(number('CLAVIGER_DATABASE_CONNECT_SECONDS', SECONDS_MAX)),
    statementMs: inMs(number('CLAVIGER_DATABASE_STATEMENT_SECONDS', SECONDS_MAX)),
    listMs: inMs(number('CLAVIGER_DATABASE_LIST_SECONDS', SECONDS_MAX)),
  }
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

const CONNECTIONS_MAX = 1_000
const SECONDS_MAX = 3_600

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000
}
