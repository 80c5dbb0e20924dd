import { largestPage, REPLAY_PAGE_MAX } from '../../../src/trusted/catalogue/largest-page.ts'
import type { Answered } from '../../service/answered.ts'
import { Refused } from '../../service/post.ts'
import type { Session } from '../../session/session.ts'

/** An activity that a draft would have decided otherwise. */
type Difference = {
  readonly activityId: string
  readonly type: string
  readonly before: string
  readonly after: string
}

export type Replay = {
  readonly replayed: number
  readonly unclear: number
  readonly differences: readonly Difference[]
}

const REPLAYED_MAX = 1_000
const INVALID_STATUS = 400
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * The last thousand activities under a draft, from the oldest to the newest, so that limits count as they would have.
 */
export async function replay(
  session: Session,
  draft: object,
  onReplayed: (count: number) => void,
): Promise<Replay> {
  let before = await beginning(session)
  let used: unknown
  const differences: Difference[] = []
  let [replayed, unclear, limit] = [0, 0, REPLAY_PAGE_MAX]
  for (;;) {
    const answered = await largestPage(limit * 2, {
      ask: async (size) =>
        await session.query('replay_policies', {
          draft,
          paginationOptions: { limit: String(size), before },
          ...(used === undefined ? {} : { used }),
        }),
      isTooMuch: (error) => error instanceof Refused && error.status === INVALID_STATUS,
    })
    const { page: answer } = answered
    limit = answered.limit
    const ids = answer.texts('replayed')
    replayed += ids.length
    unclear += answer.list('unclear').length
    differences.push(...answer.list('differences').map(differenceOf))
    onReplayed(replayed)
    used = answer.object('used').value
    const [newest] = ids
    // What comes while it is replayed is left to the next time.
    if (newest === undefined || ids.length < limit || replayed >= REPLAYED_MAX) break
    before = newest
  }
  return { replayed, unclear, differences: differences.toReversed() }
}

/** The id behind which the last thousand come. */
async function beginning(session: Session): Promise<string> {
  let after: string | undefined
  for (let count = 0; count < REPLAYED_MAX; count += REPLAY_PAGE_MAX) {
    const page = await session.query('list_activity_summaries', {
      limit: String(REPLAY_PAGE_MAX),
      ...(after && { after }),
    })
    if (!page.has('next')) return BEFORE_ALL
    after = page.text('next')
  }
  return after ?? BEFORE_ALL
}

function differenceOf(answer: Answered): Difference {
  return {
    activityId: answer.text('activityId'),
    type: answer.text('type'),
    before: answer.object('before').text('decision'),
    after: answer.object('after').text('decision'),
  }
}
