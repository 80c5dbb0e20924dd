import type { Vault } from '../../protocol/vault.ts'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { flag, isPlain, list, nullable, type PlainOf, record, text, whole } from '../../trusted/base/plain.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { emptyUnit } from '../../trusted/catalogue/unit.ts'
import { announced } from '../copies/announced.ts'
import type { Store } from '../store/store.ts'
import { recoveryEvents } from './recovery-notes.ts'

const TOLD_NOTE = 'recovery-told'
const LEASE_MS = 60_000
const PAGES = 16
const PAGE_ROWS = 100

/**
 * The progress of the mails about the newest recovery. If a host is killed between a page and this note, the page is
 * sent twice.
 */
const told = record({
  of: text(1_000),
  /** There is no user left. */
  isDone: flag,
  after: nullable(list(text(100), 1)),
  by: text(100),
  until: whole(),
})

type Told = PlainOf<typeof told>

/**
 * If the recovery of the root key was used, puts mails to all root users into the outbox, some pages at a time.
 *
 * @param by  identifies this host while it runs
 * @returns   the number of mails; undefined if there is nothing to do
 */
export async function tellRecovered({
  store,
  vault,
  now,
  by,
  onUnread,
}: {
  readonly store: Store
  readonly vault: Pick<Vault, 'checkRootProof' | 'announceRecovery' | 'verify'>
  readonly now: () => Ms
  readonly by: string
  /** Called with each organization whose root users get no mail, because the vault cannot verify its charter. */
  readonly onUnread: (organizationId: string) => void
}): Promise<number | undefined> {
  const noted = (await store.note(TOLD_NOTE)) ?? null
  const { events } = await recoveryEvents(store, vault)
  const newest = events.findLast(({ what }) => what === 'used')
  if (newest === undefined) return undefined
  const { challenge, proof } = newest
  const standing = noted === null ? undefined : parsed(noted)
  const known = standing?.of === challenge ? standing : undefined
  if (known?.isDone === true || (known !== undefined && known.by !== by && known.until > now()))
    return undefined
  let next: Told = { of: challenge, isDone: false, after: known?.after ?? null, by, until: now() + LEASE_MS }
  let written = JSON.stringify(next)
  if (!(await store.replaceNote(TOLD_NOTE, noted, written))) return undefined
  let mails = 0
  for (let page = 0; page < PAGES && !next.isDone; page++) {
    const { rows, last } = await store.scan('charters', { limit: PAGE_ROWS, after: next.after ?? undefined })
    if (rows.length > 0) {
      const { jobs, unread } = await announced(vault, rows, (charters) =>
        vault.announceRecovery({ charters, challenge, proof }),
      )
      unread.forEach(onUnread)
      if (jobs.length > 0) await store.commit({ ...emptyUnit, jobs })
      mails += jobs.length
    }
    const isDone = last === undefined
    next = { ...next, isDone, after: last?.map(String) ?? null, until: now() + LEASE_MS }
    const before = written
    written = JSON.stringify(next)
    if (!(await store.replaceNote(TOLD_NOTE, before, written))) break
  }
  return mails
}

function parsed(noted: string): Told | undefined {
  const value = jsonIn(noted)
  return isPlain(told, value) ? value : undefined
}
