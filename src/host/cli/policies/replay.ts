import { list, object, optional, type TypeOf, uuid } from '../../../trusted/catalogue/shape.ts'
import { activitySummaryShape } from '../../queries/activities/activity-summary.ts'
import { largestPage, REPLAY_PAGE_MAX } from '../../../trusted/catalogue/largest-page.ts'
import { replayed } from '../../queries/rehearsals/replay-policies.ts'
import { callerFrom } from '../caller.ts'
import { type Caller, InvalidRequest, signedQuery } from '../signed-query.ts'
import { progress } from '../progress.ts'
import { UsageError } from '../usage.ts'
import { flag, ofServices, oneAndOptions, text } from '../arguments.ts'
import { draftIn, type SentDraft } from './draft-in.ts'
import { decisionText } from './judgement-text.ts'
import { listedPolicies, policyNames } from './policy-names.ts'
import { printable, printableJson } from './printable.ts'
import type { ExitCode } from '../exit-codes.ts'

/**
 * `claviger policies replay FILE`: lists recorded activities that a draft of policies would have decided differently.
 */
export async function replay(args: readonly string[]): Promise<ExitCode<'policies replay'>> {
  const { subject: path, values } = oneAndOptions(args, 'one file with policies', {
    ...ofServices,
    limit: text,
    all: flag,
    instead: flag,
  })
  if (values.all === true && values.limit !== undefined)
    throw new UsageError('--limit bounds what --all replays without a bound: leave one of the two out')
  const newest = values.all ? undefined : limitIn(values.limit)
  const caller = callerFrom(values.as, process.env)
  const policies = await listedPolicies(caller)
  const draft = draftIn(path, values.instead ? policies : [])
  const outcome = await replayedFrom(caller, draft, await rangeOf(caller, newest))
  const lines = told(outcome, policyNames(policies, draft))
  process.stdout.write(values.json ? `${printableJson(outcome, 2)}\n` : `${lines.join('\n')}\n`)
  return 0
}

const LIMIT_DEFAULT = 1_000

/** Before every existing id. */
const BEGINNING = '00000000-0000-0000-0000-000000000000'

function limitIn(text = String(LIMIT_DEFAULT)): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--limit is a number of activities, not ${text}`)
  return Number(text)
}

// Unlike a page of whole activities, one of summaries is never refused as too large.
const summaries = object({
  activities: list(activitySummaryShape, { max: REPLAY_PAGE_MAX }),
  next: optional(uuid),
})

/** `start` is the newest activity before the replay, `end` the newest existing one. */
type Range = { readonly start: string; readonly end: string }

async function rangeOf(caller: Caller, newest: number | undefined): Promise<Range> {
  const page = async (limit: number, after?: string): Promise<readonly string[]> => {
    const asked = { limit: String(limit), ...(after === undefined ? {} : { after }) }
    const { activities } = await signedQuery(caller, 'list_activity_summaries', asked, summaries)
    return activities.map(({ activityId }) => activityId)
  }
  const [end = BEGINNING] = await page(1)
  if (newest === undefined) return { start: BEGINNING, end }
  let after: string | undefined
  for (let left = newest; ; left -= REPLAY_PAGE_MAX) {
    const ids = await page(Math.min(left + 1, REPLAY_PAGE_MAX), after)
    const last = ids.at(-1)
    if (last === undefined) return { start: BEGINNING, end }
    if (left < REPLAY_PAGE_MAX) return { start: ids.length > left ? last : BEGINNING, end }
    after = last
  }
}

type Page = TypeOf<typeof replayed>
type Outcome = Pick<Page, 'differences' | 'unclear'> & { readonly replayed: number }

/** From old to new, page by page, so that the counts of limits continue from one page to the next. */
async function replayedFrom(caller: Caller, draft: SentDraft, { start, end }: Range): Promise<Outcome> {
  const pages: Page[] = []
  let [count, limit] = [0, REPLAY_PAGE_MAX]
  const { tell } = progress(() => `replayed ${count} activities`)
  // Ids are in the order of time, and new activities arrive during the replay.
  for (let before = start; before < end; ) {
    const used = pages.at(-1)?.used
    const answered = await largestPage(limit * 2, {
      ask: async (size) =>
        await signedQuery(
          caller,
          'replay_policies',
          {
            draft,
            paginationOptions: { limit: String(size), before },
            ...(used === undefined ? {} : { used }),
          },
          replayed,
        ),
      isTooMuch: (error) => error instanceof InvalidRequest,
    })
    const { page } = answered
    limit = answered.limit
    // The newest comes first.
    const [newest] = page.replayed
    if (newest === undefined) break
    pages.push(page)
    count += page.replayed.length
    before = newest
    tell()
  }
  return {
    replayed: count,
    differences: pages.flatMap(({ differences }) => differences),
    unclear: pages.flatMap(({ unclear }) => unclear),
  }
}

function told(outcome: Outcome, nameOf: (policyId: string) => string): readonly string[] {
  const { differences, unclear } = outcome
  const now = (decision: string) => differences.filter(({ after }) => after.decision === decision).length
  return [
    ...differences.flatMap(({ activityId, type, status, before, after }) => [
      `${activityId}  ${printable(type)}  ${printable(status)}`,
      `  now:    ${decisionText(before, nameOf)}`,
      `  draft:  ${decisionText(after, nameOf)}`,
    ]),
    ...unclear.map(({ activityId, reason }) => `${activityId}  cannot be judged: ${printable(reason)}`),
    `${outcome.replayed} activities: the draft would refuse ${now('deny')}, allow ${now('allow')} and let ${now('wait')} wait that are decided otherwise now; ${unclear.length} cannot be judged`,
  ]
}
