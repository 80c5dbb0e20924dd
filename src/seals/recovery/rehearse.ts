import type { World } from '../../trusted/base/world.ts'
import { openKeyring } from '../../trusted/vault/keys/keyring.ts'
import { isRecovery } from '../../trusted/vault/keys/needed-keys.ts'
import { recoveryText } from '../../trusted/vault/recovery/recovery-events.ts'
import { readRootKeyFile } from '../../trusted/vault/keys/root-key.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { sealedFileIn } from '../../trusted/vault/keys/sealed-file.ts'
import { rootProof } from '../../trusted/vault/seals/seals.ts'
import type { SealMeans } from '../seal.ts'
import { recoveryEntryIn, restored } from './recovery.ts'

/**
 * Opens the root key file like the recovery, without passing on the key: the result is the fact of the rehearsal, the
 * shares used, and the root key's proof of it.
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
