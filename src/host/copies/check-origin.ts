import type { ProofOrigin } from '../../protocol/vault.ts'
import { CopyError } from './copy-error.ts'

export const KEPT_FILE =
  'restore with the copy of the root key file that was kept from before that version was retired'

/** @throws CopyError if the proof in a backup is not of this root key */
export function checkOrigin(origin: ProofOrigin): void {
  if (origin === 'own') return
  throw new CopyError(
    origin === 'foreign'
      ? 'the backup was made under another root key, or by another program'
      : `the backup was made under a version of the root key that this file does not hold, or that does not seal by it: ${KEPT_FILE}, or with the newest file`,
  )
}
