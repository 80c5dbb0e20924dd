import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toHex } from '../../../trusted/base/bytes.ts'
import { generateP256Secret, p256PublicKeyOf } from '../../../trusted/crypto/p256.ts'
import { syncFolder, writeSynced } from '../../../seals/durable-file.ts'
import { callerFrom } from '../caller.ts'
import type { Caller } from '../signed-query.ts'
import { CommandError } from '../command-error.ts'
import type { Terminal } from './terminal.ts'

export function keyFilePath({ folder }: Terminal, name: string): string {
  return join(folder, `${name}.agent.env`)
}

/**
 * The public key of an agent, from its key file or a new one. An existing file is never overwritten.
 *
 * @param lines  the lines of the file besides the address of the service and the key
 */
export function keyInFile(
  path: string,
  caller: Caller,
  lines: { readonly [name: string]: string },
  terminal: Terminal,
): string {
  const { organizationId, baseUrl } = caller
  const there = publicKeyIn(path, organizationId)
  if (there !== undefined) return there
  const secret = generateP256Secret(terminal.randomBytes)
  const publicKey = p256PublicKeyOf(secret)
  const names = {
    BASE_URL: baseUrl,
    ORGANIZATION_ID: organizationId,
    ...lines,
    API_PUBLIC_KEY: publicKey,
    API_PRIVATE_KEY: toHex(secret),
  }
  secret.fill(0)
  const lineOf = ([name, value]: readonly [string, string]): string => `${name}=${value}\n`
  // Readable only by its owner from its first byte on, and on the disk before the key is used anywhere.
  writeSynced(path, Object.entries(names).map(lineOf).join(''), 0o600)
  syncFolder(dirname(path))
  return publicKey
}

/**
 * The public key of a key file; undefined if there is no file.
 *
 * @throws CommandError  if it is not a key file, belongs to another organization, or may have been written by another
 *         user
 */
export function publicKeyIn(path: string, organizationId: string | undefined): string | undefined {
  if (!existsSync(path)) return undefined
  const { mode, uid } = statSync(path)
  if ((mode & 0o077) !== 0 || (process.getuid !== undefined && uid !== process.getuid()))
    throw new CommandError(
      `${path} can be accessed by other users, who could have put it there: chmod 600 it, or move it away`,
    )
  const there = callerFrom(path, {})
  if (there.organizationId !== organizationId)
    throw new CommandError(`${path} is a key file of organization ${there.organizationId}: move it away`)
  return there.signer.publicKey
}
