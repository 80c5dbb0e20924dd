import type { Readable } from 'node:stream'
import { JsonLines } from '../../trusted/base/json-lines.ts'
import type { FileKeys } from '../../trusted/vault/keys/file-keys.ts'
import { HANDED_CHARACTERS_MAX } from '../../trusted/vault/keys/key-channel.ts'
import { type Handed, type OpenRequest, unseal } from '../../trusted/vault/keys/unseal.ts'
import { sealProcess, type SealSettings } from './seal-process.ts'
import { tellOfSealBefore } from './words-of-seal.ts'

/**
 * The keys of a root key file for a command of the operator, which writes the file anew.
 *
 * @throws RootKeyError with what became of each seal
 */
export async function unsealHere(
  fileText: string,
  settings: SealSettings,
  by?: 'recovery',
): Promise<FileKeys> {
  const openWith = (request: OpenRequest): Promise<Handed> => {
    tellOfSealBefore(request)
    return handedHere(settings, request)
  }
  return await unseal(fileText, openWith, by)
}

/** Runs the process of a seal to its end. */
export async function handedHere(
  settings: SealSettings,
  request: Parameters<typeof sealProcess>[1],
): Promise<Handed> {
  const { child, ended } = sealProcess(settings, request, 'pipe')
  // The fourth stream is one that it writes, because it was asked for as a pipe.
  const keys = child.stdio[3] as unknown as Readable
  const lines = new JsonLines(HANDED_CHARACTERS_MAX)
  let said: unknown
  for await (const chunk of keys.setEncoding('utf8'))
    for (const value of lines.push(String(chunk))) said = value ?? null
  return { said, ended: await ended }
}
