import type { JobRow } from '../../trusted/catalogue/unit.ts'
import { type Restored, restoredText } from '../../trusted/vault/memory/restored-copy.ts'
import type { Vault } from '../../protocol/vault.ts'
import { messageJob } from '../store/job-rows.ts'
import type { Loader } from '../store/loader.ts'
import type { TableRows } from '../store/tables.ts'
import { announced } from './announced.ts'
import { CopyError } from './copy-error.ts'
import { checkOrigin } from './check-origin.ts'
import type { CopyManifest } from './copy-file.ts'
import type { OpenedCopy } from './opened-copy.ts'
import { ROOT_PROOF_NOTE } from './root-proof-note.ts'
import { RESTORED_NOTE } from './restored-note.ts'
import type { RowPage } from './row-source.ts'
import { isStoreNote } from './store-notes.ts'

type RestoredCopy = {
  readonly manifest: CopyManifest
  readonly mails: number
  /** The organizations without mails, because the vault cannot verify their charter. */
  readonly unannounced: readonly string[]
}

/**
 * Puts the rows of a backup into an empty store. A note says that the data was restored; the vault proves this note and
 * is shown it at each start. All root users get mails.
 *
 * @param paused  called with each written page
 * @throws CopyError if the backup is damaged: then the loader keeps no row
 */
export async function restoreCopy(
  copy: OpenedCopy,
  {
    vault,
    loader,
    restored,
    paused,
  }: {
    readonly vault: Pick<Vault, 'announceRestore' | 'proveRoot' | 'checkRootProof' | 'verify'>
    readonly loader: Loader
    readonly restored: Restored
    readonly paused: (page: RowPage) => void
  },
): Promise<RestoredCopy> {
  if (copy.beginning.organizationId !== undefined)
    throw new CopyError('this is the export of one organization, and no backup of a store')
  if (copy.beginning.archive !== undefined)
    throw new CopyError('this is an archive of activities, and no backup of a store')
  const proof = await vault.proveRoot(restoredText(restored))
  const entry = `${restoredText(restored)}\t${proof}\n`
  let earlier = ''
  let isOurs = false
  let lastJob = copy.beginning.lastJob
  const unannounced: string[] = []
  const announce = async (charters: readonly TableRows['charters'][]): Promise<void> => {
    const { jobs, unread } = await announced(vault, charters, (some) =>
      vault.announceRestore({ charters: some, ...restored }),
    )
    unannounced.push(...unread)
    await loader.put(
      'jobs',
      jobs.map((job) => jobRow(job, ++lastJob)),
    )
    await loader.put(
      'orderingKeys',
      jobs.map((job) => ({
        orderingKey: messageJob(job).orderingKey,
        dueAt: restored.lostAt,
        takenAt: null,
      })),
    )
  }
  const put = async (page: RowPage): Promise<void> => {
    if (page.table !== 'notes' && !isOurs) checkOrigin('foreign')
    switch (page.table) {
      case 'notes':
        isOurs ||= await isProven(page.rows, vault)
        earlier = page.rows.find(({ name }) => name === RESTORED_NOTE)?.value ?? earlier
        return await loader.put(
          'notes',
          page.rows.filter(({ name }) => name !== RESTORED_NOTE && !isStoreNote(name)),
        )
      case 'charters':
        await loader.put('charters', page.rows)
        return await announce(page.rows)
      default:
        return await loader.put<RowPage['table']>(page.table, page.rows)
    }
  }
  const pages = copy.pages()
  let next = await pages.next()
  for (; next.done !== true; next = await pages.next()) {
    await put(next.value)
    paused(next.value)
  }
  const manifest = next.value
  await loader.put('notes', [{ name: RESTORED_NOTE, value: `${newest(earlier)}${entry}` }])
  await loader.setLastJob(lastJob)
  return { manifest, mails: lastJob - manifest.lastJob, unannounced }
}

/**
 * Whether these notes contain the proof of the root key. Notes come first, so a wrong root key is found before other
 * rows are read.
 *
 * @throws CopyError if the proof is not of this root key
 */
async function isProven(
  notes: readonly TableRows['notes'][],
  vault: Pick<Vault, 'checkRootProof'>,
): Promise<boolean> {
  const [challenge = '', proof = ''] =
    notes.find(({ name }) => name === ROOT_PROOF_NOTE)?.value.split(' ') ?? []
  if (challenge === '') return false
  checkOrigin(await vault.checkRootProof({ challenge, proof }))
  return true
}

/** Only the newest restore counts; some earlier ones are kept for people. */
function newest(lines: string): string {
  return lines.split('\n').slice(-RESTORES_MAX).join('\n')
}

const RESTORES_MAX = 100

function jobRow(job: JobRow, sequence: number): TableRows['jobs'] {
  return { sequence, attempts: 0, failure: null, dead: 0, ...messageJob(job) }
}
