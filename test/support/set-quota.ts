import assert from 'node:assert/strict'
import { carryOutQuotas, type QuotaChange } from '../../src/host/quotas/quota-orders.ts'
import type { TestService } from './service.ts'

/** As the operator sets quotas of an organization. */
export async function setQuota(
  { store, world }: Pick<TestService, 'store' | 'world'>,
  subject: string,
  change: QuotaChange,
): Promise<void> {
  const answer = await carryOutQuotas(store, { do: 'set', subject, change }, world.now())
  assert.equal(answer.kind, 'shown')
}
