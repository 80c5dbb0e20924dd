/**
 * The servers in a `postgres://` address, each with an address of its own. As in libpq, several are separated by
 * commas, `postgres://user:password@a:5432,b:5433/database?target_session_attrs=read-write`. They are tried in order. A
 * server that takes no writes is skipped, regardless of `target_session_attrs`, since the service cannot work with it.
 *
 * @returns undefined for another kind of address, and for one that asks for read-only servers
 */
export function postgresAddresses(url: string): readonly string[] | undefined {
  const parts = FORM.exec(url)
  if (parts === null) return undefined
  const [, credentials = '', hosts = '', database = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && !WRITABLE.includes(wanted)) return undefined
  parameters.delete('target_session_attrs')
  // It would override our own name, by which connections are counted.
  parameters.delete('application_name')
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  const addresses = hosts.split(',').map((host) => `postgres://${credentials}${host}${database}${rest}`)
  return addresses.every((address) => URL.canParse(address)) ? addresses : undefined
}

/** Whether an address contains a password, before the hosts or among its parameters. */
export function hasPassword(url: string): boolean {
  const [, credentials = '', , , query = ''] = FORM.exec(url) ?? []
  return /:./.test(credentials.replace(/@$/, '')) || (new URLSearchParams(query).get('password') ?? '') !== ''
}

// Credentials with their @, hosts with their ports, database with its slash, parameters.
const FORM = /^postgres(?:ql)?:\/\/([^/?#@]*@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/

const WRITABLE = ['any', 'read-write', 'primary']
