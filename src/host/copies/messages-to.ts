import { lowerAscii } from '../../trusted/base/lower-ascii.ts'
import { type DirectoryEntry, emptyUnit, type JobRow, type ObjectRow } from '../../trusted/catalogue/unit.ts'
import { emailEvents, mailsTo } from '../../trusted/objects/email-event.ts'
import { textEvents } from '../../trusted/objects/text-event.ts'
import type { Handles } from '../../trusted/vault/erasure/handles.ts'
import type { Vault } from '../../protocol/vault.ts'
import type { Store } from '../store/store.ts'
import type { TableRows } from '../store/tables.ts'
import { CopyError } from './copy-error.ts'
import { rowsOf } from './rows-of.ts'

type Means = {
  readonly store: Pick<Store, 'scan' | 'find' | 'commit' | 'finishJob'>
  readonly vault: Pick<Vault, 'openJob'>
}

/** Dead messages to a contact, and entries in lists of sent messages. */
type SentMessages = {
  readonly givenUp: readonly number[]
  readonly events: readonly ObjectRow[]
  readonly lookups: readonly DirectoryEntry[]
}

/**
 * The messages to a person, by the contacts in each organization.
 *
 * @throws CopyError if one waits to be sent
 */
export async function messagesTo(
  { store, vault }: Means,
  handles: ReadonlyMap<string, Handles>,
): Promise<SentMessages> {
  const isTo = (organizationId: string, to: string): boolean =>
    handles.get(organizationId)?.has(lowerAscii(to)) === true
  const givenUp: number[] = []
  for await (const rows of rowsOf(store, 'jobs'))
    for (const row of rows) {
      const message = messageIn(row)
      if (message === undefined || !handles.has(row.organizationId)) continue
      if (!isTo(row.organizationId, (await vault.openJob(message)).to)) continue
      if (row.dead === 0)
        throw new CopyError('a message to the user waits to be sent: let it go out, or end, and then erase')
      givenUp.push(row.sequence)
    }
  const events: ObjectRow[] = []
  for await (const rows of rowsOf(store, 'objects'))
    events.push(...rows.filter((row) => KINDS.has(row.kind) && isTo(row.organizationId, toOf(row))))
  return { givenUp, events, lookups: await lookupsTo({ store }, handles) }
}

function messageIn(row: TableRows['jobs']): JobRow | undefined {
  const { organizationId, jobId, kind, seal, createdAt } = row
  if (kind === 'webhook' || jobId === null || seal === null) return undefined
  return { organizationId, jobId, kind, seal, createdAt }
}

const KINDS: ReadonlyMap<string, typeof emailEvents | typeof textEvents> = new Map([
  [emailEvents.kind, emailEvents],
  [textEvents.kind, textEvents],
])

function toOf({ kind, body }: ObjectRow): string {
  return KINDS.get(kind)?.parse(body).to ?? ''
}

/**
 * Removes them, and the lookups that lead to them, including those that earlier versions left of swept events. Returns
 * the number of messages.
 */
export async function eraseMessages(
  { store }: Pick<Means, 'store'>,
  { givenUp, events, lookups }: SentMessages,
): Promise<number> {
  for (const sequence of givenUp) await store.finishJob(sequence)
  for (const remove of events) await store.commit({ ...emptyUnit, objects: { put: [], remove: [remove] } })
  for (const entry of lookups) await store.commit({ ...emptyUnit, directory: { put: [], remove: [entry] } })
  return givenUp.length + events.length
}

/** Lookups of mails to these addresses; earlier versions left them when they swept an event away. */
async function lookupsTo(
  { store }: Pick<Means, 'store'>,
  handles: ReadonlyMap<string, Handles>,
): Promise<readonly DirectoryEntry[]> {
  const found: DirectoryEntry[] = []
  for (const [scope, addresses] of handles)
    for (const address of addresses) {
      const key = { scope, ...mailsTo(address) }
      for (let after: string | undefined; ; ) {
        const targets = await store.find(key, {
          limit: LOOKUPS_OF_A_PAGE,
          ...(after === undefined ? {} : { after }),
        })
        found.push(...targets.map((target) => ({ ...key, target })))
        after = targets.at(-1)
        if (after === undefined) break
      }
    }
  return found
}

const LOOKUPS_OF_A_PAGE = 500
