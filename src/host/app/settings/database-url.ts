import { postgresAddresses } from '../../store/postgres/address.ts'
import type { Source } from './setting.ts'

/** The address is never quoted, because it may contain a password. */
export function databaseUrl(text: string, name: string, { problems }: Source): string {
  if (postgresAddresses(text) === undefined)
    problems.push(
      `${name} is not an address of the form postgres://user:password@host:port/database, with several hosts between commas; of target_session_attrs it takes read-write, primary and any`,
    )
  return text
}
