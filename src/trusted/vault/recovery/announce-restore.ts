import type { Work } from '../../base/work.ts'
import type { World } from '../../base/world.ts'
import type { JobRow } from '../../catalogue/unit.ts'
import type { AnnounceRequest } from '../../../protocol/vault.ts'
import type { Keyring } from '../keys/keyring.ts'
import { mailsToRoots } from './mails-to-roots.ts'

/** Mails to the root users of these organizations, who cannot know otherwise that activities have been lost. */
export async function announceRestore(
  means: { readonly keyring: Keyring; readonly world: World },
  { charters, ...restored }: AnnounceRequest,
  work: Work,
): Promise<{ readonly jobs: readonly JobRow[] }> {
  return { jobs: await mailsToRoots(means, charters, { about: 'restored', restored }, work) }
}
