import { present } from '../../trusted/base/assert.ts'
import { type Units, Work } from '../../trusted/base/work.ts'
import type { LookupKey, ObjectKind } from '../../trusted/catalogue/objects.ts'
import type { PageRequest, Reader, WebhookDelivery } from '../../trusted/catalogue/query.ts'
import type { ActivityRow, ObjectRow } from '../../trusted/catalogue/unit.ts'
import { lookupsOf } from '../../trusted/charter/directory.ts'
import { webhookOrderingKey } from '../store/ordering-keys.ts'
import { nextDay } from '../store/quotas/counts.ts'
import { isDaily } from '../store/quotas/quota.ts'
import type { Job, MalformedJob, Store } from '../store/store.ts'
import type { Signer } from '../../protocol/vault.ts'
import { everything, pagesOfKind } from './gather.ts'
import { checkedRead } from './checked-read.ts'
import { listText } from './list-text.ts'
import { activityView } from '../../trusted/vault/records/activity-view.ts'
import { votesOf } from '../../trusted/vault/records/votes.ts'
import { readActivities } from './read-activities.ts'
import { rehearse } from './rehearse.ts'
import type { Host } from './host.ts'
import { searchSubOrganizations } from './search-sub-organizations.ts'

const PAGE_ROWS = 500

/** @param spend  called with the cost of work on this side; the vault counts its own */
export async function readerFor(
  host: Host,
  organizationId: string,
  signer: Signer,
  spend: (units: Units) => void = () => {},
): Promise<Reader> {
  const charter = present(await host.checked.get(organizationId), 'the charter that the signer was found in')
  const checkedObjects = async (read: () => Promise<readonly ObjectRow[]>): Promise<readonly ObjectRow[]> =>
    await checkedRead(host.vault, read, (objects) => ({ objects }))
  const checkedStore: Pick<Store, 'objects' | 'objectsOfKind' | 'newestOfKind'> = {
    objects: (...of) => checkedObjects(() => host.store.objects(...of)),
    objectsOfKind: (...of) => checkedObjects(() => host.store.objectsOfKind(...of)),
    newestOfKind: (...of) => checkedObjects(() => host.store.newestOfKind(...of)),
  }
  // A row that an index has found is answered only if it contains the searched value itself.
  const meant = async <B>(
    kind: ObjectKind<B>,
    ids: readonly string[],
    names: (body: B) => readonly LookupKey[],
    wanted: readonly LookupKey[],
  ): Promise<readonly B[]> => {
    const rows = await checkedStore.objects(organizationId, kind.kind, ids)
    return rows
      .map((row) => kind.parse(row.body))
      .filter((body) => names(body).some((name) => wanted.some((lookupKey) => isSame(lookupKey, name))))
  }
  const through: Reader['through'] = async (steps) => {
    const work = new Work(host.pace, organizationId)
    try {
      return await work.through(steps)
    } finally {
      spend(work.spent)
    }
  }
  const records = readActivities(host, organizationId, spend)
  return {
    charter,
    parent: async () => (charter.parentId === null ? undefined : await host.checked.get(charter.parentId)),
    now: host.world.now(),
    signer,
    ...records,
    activity: async (activityId) => {
      const row = await records.activity(activityId)
      return row === undefined || !isOpenTo(row, signer) ? undefined : row
    },
    view: (row) => activityView(row, signer.userId, host.world.now()),
    object: async (kind, objectId) => {
      const [row] = await checkedStore.objects(organizationId, kind.kind, [objectId])
      return row === undefined ? undefined : kind.parse(row.body)
    },
    objects: async (kind) => {
      const rows = await everything(checkedStore, organizationId, kind.kind)
      return rows.map((row) => kind.parse(row.body))
    },
    listText: async (kind, view) =>
      await listText(pagesOfKind(checkedStore, organizationId, kind.kind, { limit: PAGE_ROWS }), kind, {
        view,
        through,
      }),
    found: async (kind, entries, page) => {
      const ids = await idsFound(host.store, organizationId, entries, page)
      return await meant(kind, ids, kind.entries, entries)
    },
    claiming: async (kind, claims) => {
      const names = claims.map((claim) => ({ ...claim, scope: organizationId }))
      const ids = new Set((await host.store.claimed(names)).map(({ target }) => target))
      return await meant(kind, [...ids], kind.claims, claims)
    },
    objectsPage: async (kind, page) => {
      const rows =
        'before' in page
          ? await checkedStore.newestOfKind(organizationId, kind.kind, page)
          : await checkedStore.objectsOfKind(organizationId, kind.kind, page)
      return rows.map((row) => kind.parse(row.body))
    },
    webhookJobs: async (target, of, page) => {
      const orderingKey = webhookOrderingKey({ scope: organizationId, target })
      const [jobs, dueAt] = await Promise.all([
        host.store.jobsOf(orderingKey, of, page),
        of === 'dead' ? undefined : host.store.dueAt(orderingKey),
      ])
      return { jobs: jobs.flatMap(deliveryOf), ...(dueAt === undefined ? {} : { dueAt }) }
    },
    quotas: async () => {
      const now = host.world.now()
      const uses = await host.store.quotas.uses(organizationId, now)
      return uses.map((use) => (isDaily(use.quota) ? { ...use, returnsAt: nextDay(now) } : use))
    },
    lastUses: async () => await host.uses.of(organizationId),
    through,
    rehearse: async (rehearsal) =>
      await rehearse(host, { organizationId, askedFrom: signer.organizationId }, rehearsal),
    subOrganizations: async (kind, value, page) => {
      const found = await host.store.find({ scope: organizationId, kind, value }, page)
      return await host.checked.pickFrom(found, (sub) =>
        sub.parentId === organizationId &&
        lookupsOf(sub).some((lookup) => lookup.kind === kind && lookup.value === value)
          ? [sub.organizationId]
          : [],
      )
    },
    searchSubOrganizations: async (search, page, view) =>
      await searchSubOrganizations(host, charter, search, page, view),
  }
}

/** A token reads what its own key has stamped for the same user, and nothing else. */
function isOpenTo(row: ActivityRow, { userId, tokenKey }: Signer): boolean {
  return (
    tokenKey === undefined ||
    votesOf(row.votes).some((vote) => vote.userId === userId && vote.publicKey === tokenKey)
  )
}

function deliveryOf(job: Job | MalformedJob): readonly WebhookDelivery[] {
  if (job.kind !== 'webhook') return []
  const { sequence, attempts, createdAt, failure, webhook } = job
  const { organizationId, activityId, revision } = webhook
  return [{ sequence, attempts, createdAt, failure, organizationId, activityId, revision }]
}

/**
 * One page of the rows under several entries: it reads a page of each, and returns the first of these rows, or the last
 * before `before`.
 */
async function idsFound(
  store: Store,
  scope: string,
  entries: readonly LookupKey[],
  page: PageRequest,
): Promise<readonly string[]> {
  const pages = await Promise.all(entries.map(({ kind, value }) => store.find({ scope, kind, value }, page)))
  const ids = [...new Set(pages.flat())].sort()
  const isBackwards = page.before !== undefined && page.after === undefined
  return isBackwards ? ids.slice(-page.limit) : ids.slice(0, page.limit)
}

function isSame(a: LookupKey, b: LookupKey): boolean {
  return a.kind === b.kind && a.value === b.value
}
