import { fromHex } from '../../trusted/base/bytes.ts'
import { isP256Secret, p256PublicKeyOf, p256Signer } from '../../trusted/crypto/p256.ts'
import type { Caller } from './signed-query.ts'
import { CommandError } from './command-error.ts'
import { readKeyFile } from './read-file.ts'
import { readServiceAddress } from './service-address.ts'

type Names = { readonly [name: string]: string | undefined }

/**
 * The sender, from the names BASE_URL, ORGANIZATION_ID, API_PRIVATE_KEY and optionally API_PUBLIC_KEY: in a file with
 * lines NAME=value as development mode writes it, or in the environment.
 *
 * @throws CommandError  also for a file that other users of the machine can access
 */
export function callerFrom(file: string | undefined, environment: Names): Caller {
  const names = namesFrom(file, environment)
  const where = file ?? 'the environment'
  const named = (name: string): string => {
    const value = names[name]
    if (value === undefined || value === '')
      throw new CommandError(`${name} is not in ${where}; --as FILE names a file such as .claviger/dev.env`)
    return value
  }
  const baseUrl = named('BASE_URL')
  const service = readServiceAddress(baseUrl)
  if ('wrong' in service) throw new CommandError(`BASE_URL of ${where} ${service.wrong}`)
  const secret = fromHex(named('API_PRIVATE_KEY'))
  if (secret === undefined || !isP256Secret(secret))
    throw new CommandError(`API_PRIVATE_KEY of ${where} is not a P-256 private key in hexadecimal`)
  const publicKey = p256PublicKeyOf(secret)
  const told = names['API_PUBLIC_KEY'] ?? publicKey
  if (told.toLowerCase() !== publicKey)
    throw new CommandError(`API_PUBLIC_KEY of ${where} does not belong to API_PRIVATE_KEY`)
  return {
    baseUrl: service.address,
    organizationId: named('ORGANIZATION_ID'),
    signer: p256Signer(secret, publicKey),
  }
}

/** The other names in a key file or the environment. */
export function namesFrom(file: string | undefined, environment: Names): Names {
  return file === undefined ? environment : namesIn(readKeyFile(file))
}

function namesIn(text: string): Names {
  const lines = text.split(/\r?\n/).filter((line) => /^[A-Z0-9_]+=/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()]),
  )
}
