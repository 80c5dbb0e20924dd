import { assert } from '../../base/assert.ts'
import type { Work } from '../../base/work.ts'
import type { World } from '../../base/world.ts'
import type { JobRow } from '../../catalogue/unit.ts'
import type { AnnounceRecoveryRequest } from '../../../protocol/vault.ts'
import type { Keyring } from '../keys/keyring.ts'
import { mailsToRoots } from './mails-to-roots.ts'
import { readRecoveryText } from './recovery-events.ts'
import { proofOrigin } from '../seals/seals.ts'

/**
 * Mails to the root users of these organizations: the root key was opened by its recovery. This root key must have
 * proven it.
 */
export async function announceRecovery(
  means: { readonly keyring: Keyring; readonly world: World },
  { charters, ...made }: AnnounceRecoveryRequest,
  work: Work,
): Promise<{ readonly jobs: readonly JobRow[] }> {
  const event = readRecoveryText(made.challenge)
  assert(
    event?.what === 'used' && proofOrigin(means.keyring, made) === 'own',
    'a recovery that is announced was proven by this root key',
  )
  const message = { about: 'recovered', recoveredAt: event.at } as const
  return { jobs: await mailsToRoots(means, charters, message, work) }
}
