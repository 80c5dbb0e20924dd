import { idAt } from '../../base/ids.ts'
import type { Work } from '../../base/work.ts'
import type { World } from '../../base/world.ts'
import type { EmailMessage } from '../../catalogue/message.ts'
import type { CharterRow, JobRow } from '../../catalogue/unit.ts'
import { rootAddresses } from '../../charter/root-addresses.ts'
import type { Keyring } from '../keys/keyring.ts'
import { costOfCharter } from '../seals/row-costs.ts'
import { openCharter, sealJob } from '../seals/seals.ts'

/** The same mail to each root user with an address, of each of these organizations that is not deleted. */
export async function mailsToRoots(
  { keyring, world }: { readonly keyring: Keyring; readonly world: World },
  charters: readonly CharterRow[],
  about: Pick<EmailMessage, 'about' | 'restored' | 'recoveredAt'>,
  work: Work,
): Promise<readonly JobRow[]> {
  const now = world.now()
  const jobs: JobRow[] = []
  for (const row of charters) {
    await work.step(costOfCharter(row))
    const charter = openCharter(keyring, row)
    const { organizationId, organizationName, deleted } = charter
    if (deleted) continue
    for (const to of rootAddresses(charter)) {
      const jobId = idAt(now, world.randomBytes)
      const message = {
        channel: 'email',
        to,
        organizationName,
        ...about,
        customization: {},
        sender: {},
      } as const
      const place = { organizationId, jobId, kind: 'email', createdAt: now } as const
      jobs.push(sealJob(keyring, place, message, world.randomBytes))
    }
  }
  return jobs
}
