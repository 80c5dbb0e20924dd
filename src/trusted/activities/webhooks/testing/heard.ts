import type { TestService } from '../../../../../test/support/service.ts'
import type { WebhookErrand } from '../../../../host/store/store.ts'

/** Every webhook that waits, in the order in which it was committed. It counts as delivered: the next call tells only what came since. */
export async function heard({
  store,
  world,
}: Pick<TestService, 'store' | 'world'>): Promise<readonly WebhookErrand[]> {
  const webhooks: { readonly sequence: number; readonly webhook: WebhookErrand }[] = []
  for (;;) {
    // One of each lane at a time.
    const errands = await store.takeErrands({ now: world.now(), leaseMs: 1000, limit: 1000 })
    if (errands.length === 0) break
    for (const errand of errands) {
      if (errand.kind === 'webhook') webhooks.push(errand)
      await store.finishErrand(errand.sequence)
    }
  }
  return webhooks.toSorted((a, b) => a.sequence - b.sequence).map(({ webhook }) => webhook)
}
