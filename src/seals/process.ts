// The process of one seal: it obtains the key of a root key file, passes it to the vault, and ends.
import { writeSync } from 'node:fs'
import { JsonLines } from '../trusted/base/json-lines.ts'
import { realWorld } from '../trusted/base/real-world.ts'
import { toHex } from '../trusted/base/bytes.ts'
import { type FileKeys, passphraseKeys } from '../trusted/vault/keys/file-keys.ts'
import { neededKeys } from '../trusted/vault/keys/needed-keys.ts'
import { privateText } from '../trusted/vault/keys/private-text.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import { type SealEntry, sealedFileIn } from '../trusted/vault/keys/sealed-file.ts'
import { sealNamed } from './list.ts'
import { givenPassphrase } from './passphrase.ts'

const KEYS_FD = 3
const REHEARSAL = 'rehearsal'
const ORGANIZATION = 'organization'
const TRIAL = /^trial (\d+)$/
const { env: environment } = process
const { randomBytes, now } = realWorld
const means = { environment, randomBytes }

function entryAt(text: string, place: number): SealEntry {
  const entry = neededKeys(text).seals[place]
  if (entry === undefined) throw new RootKeyError('the root key file was changed meanwhile')
  return entry
}

async function opened(text: string, entry: SealEntry): Promise<FileKeys> {
  const file = sealedFileIn(text)
  // A file of an earlier format, which has no other seals.
  if (file === undefined)
    return await passphraseKeys(neededKeys(text).names, givenPassphrase({ environment }))
  return new Map([[file.key, await sealNamed(entry.seal).open(entry, file.key, means)]])
}

function hexOf(keys: FileKeys): { readonly [name: string]: string } {
  return Object.fromEntries([...keys].map(([name, key]) => [name, toHex(key.reveal())]))
}

function hand(answer: object): void {
  writeSync(KEYS_FD, JsonLines.written(answer))
}

// The host holds the other end; when it closes, the host has ended. Then this process and its tool are no longer
// needed: both are in one process group, which the host created (`sealProcess`).
process.stdin.on('end', () => process.kill(-process.pid, 'SIGKILL')).resume()
async function forRootKey(): Promise<void> {
  const { CLAVIGER_ROOT_KEY: path = '', CLAVIGER_ROOT_KEY_READERS: readers } = environment
  const text = privateText(path, 'root key file', readers)
  const asked = environment['CLAVIGER_SEAL'] ?? ''
  const tried = TRIAL.exec(asked)?.[1]
  if (asked === REHEARSAL) {
    const { rehearsed } = await import('./recovery/rehearse.ts')
    hand({ rehearsed: await rehearsed(text, means, now) })
  } else if (tried !== undefined) {
    const { trialOf } = await import('./trial.ts')
    const entry = entryAt(text, Number(tried))
    hand(await trialOf(text, entry, { means, opened: () => opened(text, entry) }))
  } else hand({ keys: hexOf(await opened(text, entryAt(text, Number(asked)))) })
}

async function forOrganization(): Promise<void> {
  const { restoredForOrganization } = await import('./recovery/organization.ts')
  hand({ restored: await restoredForOrganization(means, now) })
}

try {
  await (environment['CLAVIGER_SEAL'] === ORGANIZATION ? forOrganization() : forRootKey())
} catch (error) {
  // Our own messages never contain a key. Messages of a library might.
  hand({ failed: error instanceof RootKeyError ? error.message : 'its process failed unexpectedly' })
}
process.exit(0)
