import './most-used.ts'
import { type CheckedActivity, checkActivity } from '../../src/host/approval/checked-activity.ts'
import { type Words, wordsOf } from '../../src/host/approval/words.ts'
import { utf8 } from '../../src/trusted/base/bytes.ts'

/** The readers of requests. They are loaded when a request is to be shown, in a file of their own. */
export async function checked(
  activity: unknown,
  organizationId: string,
): Promise<CheckedActivity | undefined> {
  return await checkActivity(activity, organizationId)
}

/** What these exact bytes of a request say, which nobody has sent yet. */
export async function said(body: string): Promise<Words> {
  return await wordsOf(utf8(body))
}
