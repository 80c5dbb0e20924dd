import type { QuotaStore } from '../store.ts'
import { needsStanding, usesIn } from './counts.ts'
import { quotasOf } from './settings.ts'
import type { SqliteQuotas } from './sqlite-quotas.ts'

/** @param inBatch  runs a write in the next commit */
export function sqliteQuotaStore(
  quotas: SqliteQuotas,
  inBatch: <Result>(write: () => Result) => Promise<Result>,
): QuotaStore {
  const recount: QuotaStore['recount'] = (organizationId, now) =>
    inBatch(() => quotas.recount(organizationId, now))
  return {
    settings: async () => quotas.settings(),
    replace: (next) => inBatch(() => quotas.replace(next)),
    uses: async (organizationId, now) => {
      const own = quotasOf(quotas.settings(), organizationId)
      if (needsStanding(quotas.counts(organizationId), own)) await recount(organizationId, now)
      return usesIn(quotas.counts(organizationId), own, now)
    },
    recount,
  }
}
