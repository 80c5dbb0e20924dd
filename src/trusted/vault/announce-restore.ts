import { costs } from '../base/costs.ts'
import { idAt } from '../base/ids.ts'
import type { Work } from '../base/work.ts'
import type { World } from '../base/world.ts'
import type { JobRow } from '../catalogue/unit.ts'
import type { AnnounceRequest } from '../../protocol/vault.ts'
import type { Keyring } from './keyring.ts'
import { openCharter, sealJob } from './seals.ts'

/** Mails to the root users of these organizations, who cannot know by themselves that what they did has been lost. */
export async function announceRestore(
  { keyring, world }: { readonly keyring: Keyring; readonly world: World },
  { charters, copiedAt, lostAt }: AnnounceRequest,
  work: Work,
): Promise<{ readonly jobs: readonly JobRow[] }> {
  const now = world.now()
  const jobs: JobRow[] = []
  for (const row of charters) {
    await work.step(costs.row + row.body.length * costs.charterCharacter)
    const { organizationId, organizationName, users, rootQuorum, deleted } = openCharter(keyring, row)
    if (deleted) continue
    const roots = new Set(rootQuorum.userIds)
    const addresses = users.flatMap(({ userId, userEmail }) =>
      roots.has(userId) && userEmail !== undefined ? [userEmail] : [],
    )
    for (const to of new Set(addresses)) {
      const jobId = idAt(now, world.randomBytes)
      const message = {
        channel: 'email',
        about: 'restored',
        to,
        organizationName,
        restored: { copiedAt, lostAt },
        customization: {},
        sender: {},
      } as const
      jobs.push(
        sealJob(
          keyring,
          { organizationId, jobId, kind: 'email', createdAt: now },
          message,
          world.randomBytes,
        ),
      )
    }
  }
  return { jobs }
}
