import { realWorld } from '../../../trusted/base/real-world.ts'
import { equalBytes, toHex } from '../../../trusted/base/bytes.ts'
import { Secret } from '../../../trusted/base/secret.ts'
import { RootKeyError } from '../../../trusted/vault/keys/root-key-error.ts'
import type { SealEntry } from '../../../trusted/vault/keys/sealed-file.ts'
import { isRecovery } from '../../../trusted/vault/keys/needed-keys.ts'
import { sealNamed } from '../../../seals/list.ts'
import { recoveryEntryIn, rewrapped } from '../../../seals/recovery/recovery.ts'
import type { Seal, SealMeans, SealParameters } from '../../../seals/seal.ts'
import type { Config } from '../../app/config.ts'
import { sealSettings } from '../../app/seal-settings.ts'
import type { Protection, SealedProtection } from '../root-key-file.ts'
import { UsageError } from '../usage.ts'

/** A seal from the command line, such as `passphrase file=/run/passphrase`. */
export type WantedSeal = { readonly name: string; readonly parameters: SealParameters }

/** @throws UsageError */
export function readSeal(text: string): WantedSeal {
  const [name = '', ...words] = text.trim().split(/\s+/)
  if (name === 'recovery') throw new UsageError('a recovery is made by claviger recovery create')
  const parameters = words.map((word) => /^([a-z-]+)=(.+)$/.exec(word)?.slice(1) ?? [])
  if (parameters.some(({ length }) => length === 0))
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
    if (by.isTried) await tryToOpen(by, { entry, file: name, key }, means)
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

async function tryToOpen(
  by: Seal,
  { entry, file, key }: { readonly entry: SealEntry; readonly file: string; readonly key: Secret },
  means: SealMeans,
): Promise<void> {
  const why = await by.open(entry, file, means).then(
    (opened) => (equalBytes(opened.reveal(), key.reveal()) ? undefined : 'it opens to another key'),
    (error: unknown) => (error instanceof RootKeyError ? error.message : 'it failed unexpectedly'),
  )
  if (why !== undefined) throw new RootKeyError(`the seal ${by.name} does not open what it sealed: ${why}`)
}
