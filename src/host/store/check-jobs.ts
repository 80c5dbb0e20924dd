import { assert } from '../../trusted/base/assert.ts'
import { ENTRY_BYTES_MAX, isCount, isText } from './check-unit.ts'
import type { WebhookJob } from './store.ts'

/** The checks of a webhook before it reaches an engine, for the reasons of `checkUnit`. */
export function checkWebhook({ scope, target, organizationId, activityId, revision }: WebhookJob): void {
  assert([scope, target, organizationId, activityId].every(isText), 'every text of a webhook is plain text')
  assert(
    Buffer.byteLength(scope + target) <= ENTRY_BYTES_MAX,
    'the ordering key of a webhook fits an index page',
  )
  assert(isCount(revision), 'a webhook names a revision')
}

export function checkFailure(failure: string): void {
  assert(isText(failure), 'the failure of a job is plain text')
}

/** An instant, in milliseconds. */
export function checkInstant(at: number): void {
  assert(Number.isSafeInteger(at), 'an instant is a whole number')
}
