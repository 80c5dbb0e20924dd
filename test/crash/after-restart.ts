import assert from 'node:assert/strict'
import type { Connection, Entry } from './ledger.ts'

const LANES = 6

/**
 * Sends everything again, as it was. What was answered must be answered with the very same bytes; what was not is
 * answered now, and then again the same. A proposal alone has moved on when it was approved meanwhile: then it must be
 * the same activity.
 *
 * @returns false when the service was gone before it was done
 */
export async function checkAfterRestart(to: Connection, entries: readonly Entry[]): Promise<boolean> {
  let next = 0
  let isGone = false
  const lane = async (): Promise<void> => {
    for (let entry = entries[next++]; entry !== undefined && !isGone; entry = entries[next++]) {
      const first = entry.answer ?? (await to.post(entry))
      const again = await to.post(entry)
      if (first === undefined || again === undefined) {
        isGone = true
        return
      }
      entry.answer ??= first
      if (entry.kind === 'propose') assert.equal(activityId(again), activityId(first))
      else assert.equal(again, first, `${entry.body}: it was answered otherwise before the kill`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return !isGone
}

function activityId(answer: string): string {
  // An activity as the service answers it.
  return (JSON.parse(answer) as { activity: { id: string } }).activity.id
}
