import { isUuid } from '../../trusted/base/ids.ts'
import {
  isPlain,
  nullable,
  optional,
  type PlainOf,
  record,
  tagged,
  text,
  whole,
} from '../../trusted/base/plain.ts'
import type { Ms } from '../../trusted/base/world.ts'
import type { Drift, QuotasOf, QuotaUse } from '../store/quotas/quota.ts'
import {
  changedSettings,
  EVERY_ORGANIZATION,
  type QuotaSettings,
  quotasOf,
  SUBJECTS_MAX,
} from '../store/quotas/settings.ts'
import type { Store } from '../store/store.ts'
import { countedOrganizations, countedUses } from './counted-organizations.ts'
import { fullnessOf } from './fullness.ts'

const amount = optional(nullable(whole()))
const change = record({
  requests: amount,
  cost: amount,
  objects: amount,
  subOrganizations: amount,
  storedBytes: amount,
})

/** For each quota that changes how much there is; null takes it away. */
export type QuotaChange = PlainOf<typeof change>

const subject = text(36)
const quotaOrder = tagged('do', {
  list: {},
  /** Of all whose use was counted, those of which a quota is full or nearly so. */
  near: {},
  show: { organizationId: subject },
  /** `subject`: an organization, or `EVERY_ORGANIZATION`. */
  set: { subject, change },
  remove: { subject },
  /** Of the next organizations whose use is counted, behind `after` in the order of ids, where none is named. */
  recount: { organizationId: optional(subject), after: optional(subject) },
})

/** What `claviger quota` asks, at the data itself or of the service that holds it. */
export type QuotaOrder = PlainOf<typeof quotaOrder>

/** An organization, or all without a quota of their own. */
export type SubjectShown = { readonly subject: string; readonly uses: readonly QuotaUse[] }

export type QuotaAnswer =
  | { readonly kind: 'shown'; readonly subjects: readonly SubjectShown[] }
  /** `subjects`: the first of them in order of their ids. */
  | {
      readonly kind: 'near'
      readonly full: number
      readonly nearlyFull: number
      readonly subjects: readonly SubjectShown[]
    }
  /** `next`: after which organization the next recount goes on; null where there are no more. */
  | {
      readonly kind: 'recounted'
      readonly organizations: number
      readonly drifts: readonly Drift[]
      readonly next: string | null
    }
  /** Nothing was done. */
  | { readonly kind: 'refused'; readonly because: string }

/** An order as it came from outside; undefined where it is none. */
export function readQuotaOrder(given: unknown): QuotaOrder | undefined {
  return isPlain(quotaOrder, given) ? given : undefined
}

export async function carryOutQuotas(store: Store, order: QuotaOrder, now: Ms): Promise<QuotaAnswer> {
  switch (order.do) {
    case 'list': {
      const { bySubject } = await store.quotas.settings()
      return await shown(store, [...bySubject.keys()].toSorted(), now)
    }
    case 'near':
      return await fullest(store, now)
    case 'show':
      return (await unknown(store, order.organizationId)) ?? (await shown(store, [order.organizationId], now))
    case 'set':
      return (await unknown(store, order.subject)) ?? (await changed(store, order.subject, order.change, now))
    case 'remove':
      return await changed(store, order.subject, NONE, now)
    case 'recount':
      return order.organizationId === undefined
        ? await recountedPage(store, order.after ?? '', now)
        : await recounted(store, [order.organizationId], now)
  }
}

const NONE: QuotaChange = {
  requests: null,
  cost: null,
  objects: null,
  subOrganizations: null,
  storedBytes: null,
}

async function unknown(store: Store, organizationId: string): Promise<QuotaAnswer | undefined> {
  if (organizationId === EVERY_ORGANIZATION) return undefined
  const found = isUuid(organizationId) ? await store.charter(organizationId) : undefined
  if (found !== undefined) return undefined
  return { kind: 'refused', because: `there is no organization ${organizationId}` }
}

/** Of two operators who change something at once each has done it in the end. */
async function changed(store: Store, name: string, wanted: QuotaChange, now: Ms): Promise<QuotaAnswer> {
  for (;;) {
    const settings = await store.quotas.settings()
    const next = changedSettings(settings, name, wanted)
    if (next.bySubject.size > SUBJECTS_MAX)
      return {
        kind: 'refused',
        because: `at most ${SUBJECTS_MAX} organizations have quotas of their own: use --default, or remove some`,
      }
    if (!isSame(settings, next, name) && !(await store.quotas.replace(next))) continue
    return await shown(store, [name], now)
  }
}

/** What changes nothing is not written: it would be a version of which every host reads everything anew. */
function isSame(before: QuotaSettings, next: QuotaSettings, name: string): boolean {
  const texts = [before, next].map(({ bySubject }) => JSON.stringify(bySubject.get(name)))
  return texts[0] === texts[1]
}

async function shown(store: Store, subjects: readonly string[], now: Ms): Promise<QuotaAnswer> {
  const settings = await store.quotas.settings()
  const all: SubjectShown[] = []
  for (const name of subjects) all.push({ subject: name, uses: await usesOf(store, settings, name, now) })
  return { kind: 'shown', subjects: all }
}

/** Of all organizations together nothing is counted. */
async function usesOf(
  store: Store,
  settings: QuotaSettings,
  name: string,
  now: Ms,
): Promise<readonly QuotaUse[]> {
  if (name !== EVERY_ORGANIZATION) return await store.quotas.uses(name, now)
  const quotas: QuotasOf = quotasOf(settings, EVERY_ORGANIZATION) ?? {}
  // The names are those of `QuotasOf`, and of no other type.
  return Object.entries(quotas).map(([quota, { most }]) => ({
    quota: quota as QuotaUse['quota'],
    most,
    used: 0,
  }))
}

async function recounted(
  store: Store,
  organizationIds: readonly string[],
  now: Ms,
  next: string | null = null,
): Promise<QuotaAnswer> {
  const drifts: Drift[] = []
  for (const organizationId of organizationIds)
    drifts.push(...(await store.quotas.recount(organizationId, now)))
  return { kind: 'recounted', organizations: organizationIds.length, drifts, next }
}

/** So many at once that the command can say how far it is, and that no answer takes minutes. */
async function recountedPage(store: Store, after: string, now: Ms): Promise<QuotaAnswer> {
  for await (const page of countedOrganizations(store, after)) {
    const ids = page.map(({ organizationId }) => organizationId)
    return await recounted(store, ids, now, ids.at(-1) ?? null)
  }
  return await recounted(store, [], now)
}

async function fullest(store: Store, now: Ms): Promise<QuotaAnswer> {
  const subjects: SubjectShown[] = []
  const found = { full: 0, nearlyFull: 0 }
  for await (const page of countedUses(store, now))
    for (const { organizationId, uses } of page) {
      const fullness = uses.map(fullnessOf)
      if (fullness.every((one) => one === undefined)) continue
      found[fullness.includes('full') ? 'full' : 'nearlyFull'] += 1
      if (subjects.length < NEAR_SHOWN_MAX) subjects.push({ subject: organizationId, uses })
    }
  return { kind: 'near', ...found, subjects }
}

/** Of more than these an operator wants the number. */
const NEAR_SHOWN_MAX = 1_000
