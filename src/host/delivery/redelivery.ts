import { firstIdAt } from '../../trusted/base/ids.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { readCharter } from '../../trusted/charter/charter-document.ts'
import { webhookTargetsOf } from '../../trusted/charter/directory.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { statesOf } from '../../trusted/vault/records/record-at.ts'
import { activityPages } from '../store/activity-pages.ts'
import type { Store, WebhookJob } from '../store/store.ts'

export type Redelivery = {
  readonly organizationId: string
  /** A target of the organization: the id of an endpoint, or the name of the older feature. */
  readonly target: string
  /** Activities that were submitted at or after the first instant, and before the second one. */
  readonly from: Ms
  readonly to: Ms
}

/** Receives, repeatedly, the number of events found so far, and the number of them that are due. */
export type TellDue = (so: { readonly found: number; readonly due: number }) => void

type Redelivered =
  | { readonly kind: 'added'; readonly count: number }
  | { readonly kind: 'refused'; readonly because: string }

const REDELIVERED_MAX = 100_000
const PAGE = 500
const ADDED_AT_ONCE_MAX = 1_000

/**
 * Puts all events of a target in a span of time at the end of its ordering key again, oldest first, with each state
 * of each activity. These jobs are not trusted: the charter and each record are checked when the event is sent.
 */
export async function redeliver(
  store: Store,
  wanted: Redelivery,
  { now, tell }: { readonly now: Ms; readonly tell: TellDue },
): Promise<Redelivered> {
  const { organizationId: scope, target } = wanted
  const row = await store.charter(scope)
  if (row === undefined) return { kind: 'refused', because: `there is no organization ${scope}` }
  const targets = webhookTargetsOf(readCharter(row.body))
  if (!targets.includes(target))
    return {
      kind: 'refused',
      because: `organization ${scope} has no webhook ${target} that is switched on; it has ${targets.join(', ') || 'none'}`,
    }
  const found = await eventsIn(store, wanted, tell)
  if (found === undefined)
    return { kind: 'refused', because: `these are more than ${REDELIVERED_MAX} events: ask for less time` }
  const webhooks = found.map((event): WebhookJob => ({ scope, target, ...event }))
  for (let start = 0; start < webhooks.length; start += ADDED_AT_ONCE_MAX) {
    tell({ found: webhooks.length, due: start })
    await store.addWebhooks(webhooks.slice(start, start + ADDED_AT_ONCE_MAX), now)
  }
  return { kind: 'added', count: webhooks.length }
}

type Event = Pick<WebhookJob, 'organizationId' | 'activityId' | 'revision'>

/** The activities of the organization and of its sub-organizations; undefined if there are too many. */
async function eventsIn(
  store: Store,
  wanted: Redelivery,
  tell: TellDue,
): Promise<readonly Event[] | undefined> {
  const found: { readonly at: Ms; readonly event: Event }[] = []
  for await (const organizationId of organizationsUnder(store, wanted.organizationId)) {
    tell({ found: found.length, due: 0 })
    for await (const row of activitiesOf(store, organizationId, wanted)) {
      const { activityId, createdAt } = row
      // Counted before the events are made: the host cannot check the seal of a row, which may claim any number.
      const states = statesOf(row)
      if (found.length + states > REDELIVERED_MAX) return undefined
      for (let revision = 1; revision <= states; revision++)
        found.push({ at: createdAt, event: { organizationId, activityId, revision } })
      if (found.length % PAGE === 0) tell({ found: found.length, due: 0 })
    }
  }
  // Pages come newest first, but the order of states must stay: sorting keeps equal elements in place.
  const byActivity = (a: Event, b: Event): number =>
    a.activityId === b.activityId ? a.revision - b.revision : a.activityId < b.activityId ? -1 : 1
  return found.sort((a, b) => a.at - b.at || byActivity(a.event, b.event)).map(({ event }) => event)
}

async function* organizationsUnder(store: Store, organizationId: string): AsyncGenerator<string> {
  yield organizationId
  const key = { scope: organizationId, kind: 'SUB_ORGANIZATION', value: '' }
  for (let after = ''; ; ) {
    const page = await store.find(key, { limit: PAGE, after })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}

async function* activitiesOf(
  store: Store,
  organizationId: string,
  { from, to }: Redelivery,
): AsyncGenerator<ActivityRow> {
  const span = { after: firstIdAt(to), before: firstIdAt(from) }
  for await (const page of activityPages(store, organizationId, {}, span))
    yield* page.filter(({ createdAt }) => createdAt >= from && createdAt < to)
}
