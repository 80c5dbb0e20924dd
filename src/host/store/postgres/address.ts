/**
 * The servers that a `postgres://` address names, each with an address of its own. As libpq has it, several stand
 * between commas, `postgres://user:password@a:5432,b:5433/database?target_session_attrs=read-write`: they are tried in
 * order, and one that takes no writes is passed over, whatever `target_session_attrs` says, since nothing can be done
 * there.
 *
 * @returns undefined when it is no such address, or asks for servers that take no writes
 */
export function postgresAddresses(url: string): readonly string[] | undefined {
  const parts = FORM.exec(url)
  if (parts === null) return undefined
  const [, credentials = '', hosts = '', database = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && !WRITABLE.includes(wanted)) return undefined
  parameters.delete('target_session_attrs')
  // It would stand above our own name, by which connections are counted.
  parameters.delete('application_name')
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  const addresses = hosts.split(',').map((host) => `postgres://${credentials}${host}${database}${rest}`)
  return addresses.every((address) => URL.canParse(address)) ? addresses : undefined
}

/** Whether an address carries a password, in its front or among its parameters. */
export function hasPassword(url: string): boolean {
  const [, credentials = '', , , query = ''] = FORM.exec(url) ?? []
  return /:./.test(credentials.replace(/@$/, '')) || (new URLSearchParams(query).get('password') ?? '') !== ''
}

// Credentials with their @, hosts with their ports, database with its slash, parameters.
const FORM = /^postgres(?:ql)?:\/\/([^/?#@]*@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/

const WRITABLE = ['any', 'read-write', 'primary']
