import type { ArchivedActivities } from '../copies/archives/archived-activities.ts'
import type { Log } from './log.ts'

/**
 * Logs the archives that the service cannot open, and therefore leaves out of its answers.
 *
 * @throws ArchiveUnavailable, CopyError
 */
export async function tellClosedArchives(
  archives: Pick<ArchivedActivities, 'look'>,
  log: Log,
): Promise<void> {
  const closed = await archives.look()
  if (closed.length === 0) return
  log('warn', 'archives closed', {
    detail: `the root key file does not open ${closed.join(', ')}: queries leave these archives out`,
  })
}
