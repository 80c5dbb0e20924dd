import type { DirectoryEntry, Unit } from '../../../trusted/catalogue/unit.ts'
import { countErrands } from '../errand-counts.ts'
import { errandOf, messageErrand, type NewErrand, webhookErrand, webhookOf } from '../errand-rows.ts'
import type { Errand, Store, WebhookErrand } from '../store.ts'

/** What a store promises of errands, in the plainest form. */
export type MemoryErrands = {
  /** After the rest of the unit: `directory` is what the unit leaves. */
  readonly ofUnit: (unit: Unit, directory: readonly DirectoryEntry[]) => void
  readonly take: (request: Parameters<Store['takeErrands']>[0]) => readonly Errand[]
  readonly finish: (sequence: number) => void
  readonly postpone: (sequence: number, retry: { readonly dueAt: number; readonly failure: string }) => void
  readonly bury: (sequence: number, failure: string) => void
  readonly dead: () => readonly Errand[]
  readonly revive: (sequences: readonly number[], now: number) => number
  readonly addWebhooks: (webhooks: readonly WebhookErrand[], now: number) => void
  readonly counts: () => Awaited<ReturnType<Store['errandCounts']>>
}

type Kept = NewErrand & { readonly sequence: number; attempts: number; failure: string | null; dead: 0 | 1 }
type Lane = { dueAt: number; takenAt: number | undefined }

export function memoryErrands(): MemoryErrands {
  const errands: Kept[] = []
  const lanes = new Map<string, Lane>()
  let sequence = 0

  const put = (errand: NewErrand, dueAt: number): void => {
    errands.push({ ...errand, sequence: (sequence += 1), attempts: 0, failure: null, dead: 0 })
    if (!lanes.has(errand.lane)) lanes.set(errand.lane, { dueAt, takenAt: undefined })
  }
  const waiting = (lane: string) => errands.filter((errand) => errand.lane === lane && errand.dead === 0)
  const find = (wanted: number) => errands.find((errand) => errand.sequence === wanted)
  const isFirst = (errand: Kept) => waiting(errand.lane)[0] === errand
  const remove = (errand: Kept) => errands.splice(errands.indexOf(errand), 1)
  const moveOn = (name: string): void => {
    const lane = lanes.get(name)
    if (waiting(name).length === 0) lanes.delete(name)
    else if (lane !== undefined) lane.dueAt = lane.takenAt ?? lane.dueAt
  }

  return {
    ofUnit: ({ errands: messages, activity }, directory) => {
      for (const row of messages) put(messageErrand(row), row.createdAt)
      for (const scope of new Set(activity?.audience))
        for (const { target } of directory
          .filter((entry) => entry.scope === scope && entry.kind === 'WEBHOOK' && entry.value === '')
          .sort((a, b) => (a.target < b.target ? -1 : 1)))
          if (activity !== undefined) put(webhookOf(activity.row, { scope, target }), activity.row.updatedAt)
    },
    take: ({ now, leaseMs, limit }) =>
      [...lanes]
        .filter(([, lane]) => lane.dueAt <= now)
        .sort(([a, left], [b, right]) => left.dueAt - right.dueAt || (a < b ? -1 : 1))
        .slice(0, limit)
        .flatMap(([name, lane]) => {
          Object.assign(lane, { dueAt: now + leaseMs, takenAt: now })
          return waiting(name)
            .slice(0, 1)
            .map((errand) => errandOf({ ...errand, attempts: errand.attempts++ }))
        }),
    finish: (wanted) => {
      const errand = find(wanted)
      if (errand === undefined) return
      const first = isFirst(errand)
      remove(errand)
      if (first) moveOn(errand.lane)
    },
    postpone: (wanted, { dueAt, failure }) => {
      const errand = find(wanted)
      if (errand === undefined || errand.dead === 1) return
      errand.failure = failure
      const lane = lanes.get(errand.lane)
      if (isFirst(errand) && lane !== undefined) lane.dueAt = dueAt
    },
    bury: (wanted, failure) => {
      const errand = find(wanted)
      if (errand === undefined || errand.dead === 1) return
      const first = isFirst(errand)
      Object.assign(errand, { dead: 1, failure })
      if (first) moveOn(errand.lane)
    },
    dead: () => errands.filter((errand) => errand.dead === 1).map(errandOf),
    revive: (sequences, now) => {
      const found = errands.filter((errand) => errand.dead === 1 && sequences.includes(errand.sequence))
      for (const errand of found) {
        remove(errand)
        put(errand, now)
      }
      return found.length
    },
    addWebhooks: (webhooks, now) => {
      for (const webhook of webhooks) put(webhookErrand(webhook, now), now)
    },
    counts: () =>
      countErrands(
        errands.map(({ kind, dead }) => {
          const alike = errands.filter((other) => other.kind === kind && other.dead === dead)
          return {
            kind,
            dead,
            count: alike.length,
            oldestAt: Math.min(...alike.map((item) => item.createdAt)),
          }
        }),
      ),
  }
}
