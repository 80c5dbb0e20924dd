import type { World } from '../../trusted/base/world.ts'
import { openKeyring } from '../../trusted/vault/keyring.ts'
import { isRecovery } from '../../trusted/vault/needed-keys.ts'
import { recoveryText } from '../../trusted/vault/recovery-events.ts'
import { readRootKeyFile } from '../../trusted/vault/root-key.ts'
import { RootKeyError } from '../../trusted/vault/root-key-error.ts'
import { sealedFileIn } from '../../trusted/vault/sealed-file.ts'
import { rootProof } from '../../trusted/vault/seals.ts'
import type { SealMeans } from '../seal.ts'
import { recoveryEntryIn, restored } from './recovery.ts'

/**
 * Opens the root key file as the recovery would, and hands over nothing of it: only that it was rehearsed and with which shares, and the
 * root key's proof of that.
 *
 * @throws RootKeyError
 */
export async function rehearsed(
  fileText: string,
  means: SealMeans,
  now: World['now'],
): Promise<{ readonly challenge: string; readonly proof: string }> {
  const file = sealedFileIn(fileText)
  const found = file?.sealedBy.find(isRecovery)
  if (file === undefined || found === undefined)
    throw new RootKeyError('the root key file has no recovery: claviger recovery create')
  const entry = recoveryEntryIn(found)
  const { key, shares } = await restored(entry, { file: file.key, purpose: 'rehearse', means })
  const keys = readRootKeyFile(fileText, new Map([[file.key, key]]))
  const challenge = recoveryText({ what: 'rehearsed', set: entry.set, at: now(), shares })
  return { challenge, proof: rootProof(openKeyring(keys.versions, keys), challenge) }
}
