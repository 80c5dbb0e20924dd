import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { toHex } from '../../../trusted/base/bytes.ts'
import { Secret } from '../../../trusted/base/secret.ts'
import { RootKeyError } from '../../../trusted/vault/keys/root-key-error.ts'
import { newRootSecret, rootKeyFile } from '../../../trusted/vault/keys/root-key.ts'
import { type SealEntry, sealedFileText } from '../../../trusted/vault/keys/sealed-file.ts'
import { isRecovery } from '../../../trusted/vault/keys/needed-keys.ts'
import { sealNamed } from '../../../seals/list.ts'
import { recoveryEntryIn, rewrapped } from '../../../seals/recovery/recovery.ts'
import type { SealMeans, SealParameters } from '../../../seals/seal.ts'
import type { Config } from '../../app/config.ts'
import { sealSettings } from '../../app/seal-settings.ts'
import type { Protection, SealedProtection } from '../root-key-file.ts'
import { triedSeal } from '../tried-seal.ts'
import { UsageError } from '../usage.ts'

/** A seal from the command line, such as `passphrase file=/run/passphrase`. */
export type WantedSeal = { readonly name: string; readonly parameters: SealParameters }

/** @throws UsageError */
export function readSeal(text: string): WantedSeal {
  // A value may have spaces, as the labels of tokens do: it ends where the next parameter begins.
  const [name = '', ...words] = text.trim().split(/\s+(?=[a-z-]+=)/)
  if (name === 'recovery') throw new UsageError('a recovery is made by claviger recovery create')
  const parameters = words.map((word) => /^([a-z-]+)=(.+)$/.exec(word)?.slice(1) ?? [])
  if (/\s/.test(name) || parameters.some(({ length }) => length === 0))
    throw new UsageError(`a seal is a name and its parameters, as in "passphrase file=FILE": ${text}`)
  return { name, parameters: Object.fromEntries(parameters) }
}

/**
 * Makes a new key for the file, so that the means of opening the earlier file do not open this one; each seal is tried,
 * if possible.
 */
export async function newSeals(config: Config, wanted: readonly WantedSeal[]): Promise<SealedProtection> {
  const { randomBytes } = realWorld
  const key = new Secret(randomBytes(32))
  const name = toHex(randomBytes(16))
  const entries: SealEntry[] = []
  const means = sealMeans(config)
  for (const { name: seal, parameters } of wanted) {
    const by = sealNamed(seal)
    const entry = { seal, ...(await by.close(key, { parameters, file: name }, means)) }
    if (by.isTried) await tryToOpen(config, { key, name, sealedBy: [entry] })
    entries.push(entry)
  }
  return { kind: 'sealed', key, name, sealedBy: entries }
}

export function sealMeans(config: Config): SealMeans {
  return { environment: sealSettings(config, process.env), randomBytes: realWorld.randomBytes }
}

/** The recovery of a file, for the same people, under the new key of that file. */
export async function keepingRecovery(
  protection: SealedProtection,
  before: Protection,
): Promise<SealedProtection> {
  const found = before.kind === 'sealed' ? before.sealedBy.find(isRecovery) : undefined
  if (found === undefined) return protection
  const { key, name: file } = protection
  const { randomBytes } = realWorld
  const kept = await rewrapped(recoveryEntryIn(found), { key, file, randomBytes })
  return { ...protection, sealedBy: [...protection.sealedBy, kept] }
}

/**
 * Tries a seal in the environment of a start, which has less than that of this command: no proxy, for example, and no
 * further options of Node. What it opens is a file for this try, with a root key of its own.
 */
async function tryToOpen(
  config: Config,
  sealed: Pick<SealedProtection, 'key' | 'name' | 'sealedBy'>,
): Promise<void> {
  const { randomBytes } = realWorld
  const root = { versions: [{ version: 1, secret: newRootSecret(randomBytes) }], seals: 1, service: [] }
  const content = await rootKeyFile(root, randomBytes, undefined)
  const folder = mkdtempSync(join(tmpdir(), 'claviger-seal-'))
  const rootKeyPath = join(folder, 'root.key')
  try {
    writeFileSync(rootKeyPath, sealedFileText(content, sealed, randomBytes), { mode: 0o600 })
    const { outcome, because } = await triedSeal(sealSettings({ ...config, rootKeyPath }, process.env), 0)
    if (outcome !== 'opens')
      throw new RootKeyError(`the seal ${sealed.sealedBy[0]?.seal} does not open what it sealed: ${because}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
