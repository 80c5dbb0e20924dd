import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { apiKeyFrom, type ApiKey } from './api-key.ts'
import { UsageError } from './usage-error.ts'

/** Who the agent is for the service, and where the service is. */
export type Credentials = {
  readonly baseUrl: string
  readonly organizationId: string
  readonly key: ApiKey
  /** The file that the key came from; undefined where it came from the environment. */
  readonly file: string | undefined
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

type Names = { readonly [name: string]: string | undefined }

/**
 * Reads BASE_URL, ORGANIZATION_ID, API_PRIVATE_KEY and, where it is there, API_PUBLIC_KEY, from a file of NAME=value
 * lines or from the environment.
 *
 * @throws UsageError  also for a file that other users of the machine can read
 */
export function credentialsFrom(file: string | undefined, environment: Names): Credentials {
  const names = file === undefined ? environment : namesIn(readPrivateFile(file))
  const where = file ?? 'the environment'
  const named = (name: string): string => {
    const value = names[name]
    if (value === undefined || value === '')
      throw new UsageError(`${name} is not in ${where}; --as FILE names the key file of the agent`)
    return value
  }
  const baseUrl = named('BASE_URL')
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(`BASE_URL of ${where} is no address that begins with http:// or https://`)
  // A model is told the address where the service cannot be asked; and no request is sent to an address with a user in
  // it.
  const { protocol, hostname, username, password } = new URL(baseUrl)
  if (username !== '' || password !== '')
    throw new UsageError(`BASE_URL of ${where} names a user: take the user and the password out of it`)
  if (protocol === 'http:' && !LOOPBACK.includes(hostname))
    throw new UsageError(
      `BASE_URL of ${where} must begin with https://, because ${hostname} is none of localhost, 127.0.0.1 and [::1]: others could read requests and change answers on the way`,
    )
  const key = apiKeyFrom(named('API_PRIVATE_KEY'))
  if (key === undefined)
    throw new UsageError(`API_PRIVATE_KEY of ${where} must be a P-256 private key: 64 hexadecimal digits`)
  if ((names['API_PUBLIC_KEY'] ?? key.publicKey).toLowerCase() !== key.publicKey)
    throw new UsageError(`API_PUBLIC_KEY of ${where} does not belong to API_PRIVATE_KEY`)
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    organizationId: named('ORGANIZATION_ID'),
    key,
    file,
  }
}

/** The file whose mode is looked at is the one that is read: both through one descriptor. */
function readPrivateFile(path: string): string {
  const descriptor = opened(path)
  try {
    const found = fstatSync(descriptor)
    const { mode } = found
    if (found.isDirectory()) throw new UsageError(`${path} is a folder: --as names the key file of the agent`)
    // Windows has no such modes, and shows 0666 for every file.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new UsageError(
        `${path} can be read by other users of this machine (mode ${(mode & 0o777).toString(8)}): chmod 600 it`,
      )
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new UsageError(
      `${path} cannot be read (${TROUBLES[code] ?? code}): --as names the key file of the agent`,
    )
  }
}

const TROUBLES: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  EACCES: 'this user lacks the right to it',
}

function namesIn(text: string): Names {
  const lines = text.split(/\r?\n/).filter((line) => /^[A-Z0-9_]+=/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()]),
  )
}
