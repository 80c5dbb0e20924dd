import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'

/** What is looked for. An empty text is no filter. */
export type Filter = {
  readonly userId: string
  readonly kind: string
  /** As a field for a day and a time writes them: in UTC, as the times of the records are shown. */
  readonly from: string
  readonly before: string
}

/** An activity as the record has it, with every field looked at. */
export type AuditRecord = {
  readonly activityId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly type: string
  readonly status: string
  readonly userId: string
  readonly userName: string
  readonly names: readonly string[]
  readonly fingerprint: string
  readonly decidedBy: readonly { readonly policyId: string; readonly outcome: string }[]
}

type RecordPage = { readonly records: readonly AuditRecord[]; readonly next: string }

export async function recordsOf(
  session: Session,
  { userId, kind, from, before }: Filter,
  page: { readonly limit: number; readonly after?: string },
): Promise<RecordPage> {
  const answer = await session.query('list_activity_summaries', {
    ...page,
    limit: String(page.limit),
    ...(userId === '' ? {} : { userId }),
    ...(kind === '' ? {} : { filterByKind: [kind] }),
    ...instant('createdFrom', from),
    ...instant('createdBefore', before),
  })
  return { records: answer.list('activities').map(recordIn), next: answer.textOrNone('next') }
}

function instant(name: string, text: string): object {
  // Without the letter it would be a time of the browser's own zone.
  const ms = new Date(`${text}Z`).getTime()
  return Number.isFinite(ms) && ms >= 0 ? { [name]: String(ms) } : {}
}

function recordIn(activity: Answered): AuditRecord {
  return {
    activityId: activity.text('activityId'),
    createdAt: isoOf(activity, 'createdAt'),
    updatedAt: isoOf(activity, 'updatedAt'),
    type: activity.text('type'),
    status: activity.text('status'),
    userId: activity.textOrNone('userId'),
    userName: activity.textOrNone('userName'),
    names: activity.texts('names'),
    fingerprint: activity.text('fingerprint'),
    decidedBy: activity
      .list('decidedBy')
      .map((one) => ({ policyId: one.text('policyId'), outcome: one.text('outcome') })),
  }
}

/** In UTC, which is the same for every reader of a file. */
function isoOf(activity: Answered, name: string): string {
  const ms = activity.object(name).number('seconds') * 1_000
  return ms >= 0 && ms < 8.64e15 ? new Date(ms).toISOString() : String(ms)
}
