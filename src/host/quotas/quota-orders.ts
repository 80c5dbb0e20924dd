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
  SUBJECTS_MAX,
} from '../store/quotas/settings.ts'
import type { Store } from '../store/store.ts'
import { countedOrganizations, countedUses } from './counted-organizations.ts'
import { fullnessOf } from './fullness.ts'

const amount = optional(nullable(whole()))
const change = record({
  requests: amount,
  cost: amount,
  messages: amount,
  subOrganizationMessages: amount,
  objects: amount,
  subOrganizations: amount,
  storedBytes: amount,
})

/** The new amount of each changed quota; null removes the quota. */
export type QuotaChange = PlainOf<typeof change>

const subject = text(36)
const quotaOrder = tagged('do', {
  list: {},
  /** The counted organizations with a quota that is full or nearly full. */
  near: {},
  show: { organizationId: subject },
  /** `subject`: an organization, or `EVERY_ORGANIZATION`. */
  set: { subject, change },
  remove: { subject },
  /** Without a subject: the next counted organizations, after `after` in the order of ids. */
  recount: { organizationId: optional(subject), after: optional(subject) },
})

/** The orders of `claviger quota`, carried out on the data itself or by the service that holds it. */
export type QuotaOrder = PlainOf<typeof quotaOrder>

/** An organization, or all organizations without quotas of their own. */
export type SubjectShown = { readonly subject: string; readonly uses: readonly QuotaUse[] }

export type QuotaAnswer =
  | { readonly kind: 'shown'; readonly subjects: readonly SubjectShown[] }
  /** `subjects`: the first of them in the order of ids. */
  | {
      readonly kind: 'near'
      readonly full: number
      readonly nearlyFull: number
      readonly subjects: readonly SubjectShown[]
    }
  /** `next`: the organization after which the next recount continues; null at the end. */
  | {
      readonly kind: 'recounted'
      readonly organizations: number
      readonly drifts: readonly Drift[]
      readonly next: string | null
    }
  /** The order was refused, and nothing was changed. */
  | { readonly kind: 'refused'; readonly because: string }

/** An order from outside; undefined if the text is not an order. */
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
      return (await unquoted(store, order.subject)) ?? (await changed(store, order.subject, NONE, now))
    case 'recount':
      return order.organizationId === undefined
        ? await recountedPage(store, order.after ?? '', now)
        : ((await unknown(store, order.organizationId)) ??
            (await recounted(store, [order.organizationId], now)))
  }
}

const NONE: QuotaChange = {
  requests: null,
  cost: null,
  messages: null,
  subOrganizationMessages: null,
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

/** An organization that has quotas is known by them, also where its charter is gone. */
async function unquoted(store: Store, subject: string): Promise<QuotaAnswer | undefined> {
  const { bySubject } = await store.quotas.settings()
  return bySubject.has(subject) ? undefined : await unknown(store, subject)
}

/** If two operators change quotas at once, both changes take effect. */
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

/** An order without a change is not written, because every host would reload the quotas for the new version. */
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

/** There is no count of all organizations together. */
async function usesOf(
  store: Store,
  settings: QuotaSettings,
  name: string,
  now: Ms,
): Promise<readonly QuotaUse[]> {
  if (name !== EVERY_ORGANIZATION) return await store.quotas.uses(name, now)
  const quotas: QuotasOf = settings.bySubject.get(EVERY_ORGANIZATION) ?? {}
  // The names are exactly those of `QuotasOf`.
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

/**
 * The number of organizations in one step of a recount: the command can report progress, and no answer takes minutes.
 */
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

/** Of more organizations than this, an operator needs only the number. */
const NEAR_SHOWN_MAX = 1_000
