import type { Message } from '../../src/trusted/catalogue/message.ts'
import type { TestService } from './service.ts'

/**
 * What waits to be sent to people, in the order in which it was committed, opened as it would be for sending. It counts
 * as sent: the next call tells only what came since. Webhooks stay where they are.
 */
export async function sentMessages({
  store,
  vault,
  world,
}: Pick<TestService, 'store' | 'vault' | 'world'>): Promise<readonly Message[]> {
  const jobs = await store.takeJobs({ now: world.now(), leaseMs: 0, limit: 1_000 })
  const messages: Message[] = []
  for (const job of jobs.toSorted((a, b) => a.sequence - b.sequence)) {
    if (job.kind === 'webhook') continue
    messages.push(await vault.openJob(job.row))
    await store.finishJob(job.sequence)
  }
  return messages
}
