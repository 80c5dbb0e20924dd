import type { TestService } from '../../../../../test/support/service.ts'
import type { WebhookJob } from '../../../../host/store/store.ts'

/**
 * Every webhook that waits, in the order in which it was committed. It counts as delivered: the next call tells only
 * what came since.
 */
export async function heard({
  store,
  world,
}: Pick<TestService, 'store' | 'world'>): Promise<readonly WebhookJob[]> {
  const webhooks: { readonly sequence: number; readonly webhook: WebhookJob }[] = []
  for (;;) {
    // One of each ordering key at a time.
    const jobs = await store.takeJobs({ now: world.now(), leaseMs: 1000, limit: 1000 })
    if (jobs.length === 0) break
    for (const job of jobs) {
      if (job.kind === 'webhook') webhooks.push(job)
      await store.finishJob(job.sequence)
    }
  }
  return webhooks.toSorted((a, b) => a.sequence - b.sequence).map(({ webhook }) => webhook)
}
