import type { Pool } from '../postgres/pool.ts'
import { inTransaction } from '../postgres/transaction.ts'
import type { QuotaStore } from '../store.ts'
import { needsStanding, usesIn } from './counts.ts'
import { type KnownQuotas, readCounts, recount, replaceSettings } from './postgres-quotas.ts'
import { quotasOf } from './settings.ts'

/** @param tracked  runs work that the closing of the store waits for, and translates its errors */
export function postgresQuotaStore(
  units: Pool,
  known: KnownQuotas,
  tracked: <Result>(work: () => Promise<Result>) => Promise<Result>,
): QuotaStore {
  const recounted: QuotaStore['recount'] = (organizationId, now) =>
    tracked(() =>
      inTransaction(units, async (client) => ({
        keep: true,
        result: await recount(client, organizationId, now),
      })),
    )
  return {
    settings: () => tracked(() => known.reload()),
    replace: (next) =>
      tracked(() =>
        inTransaction(units, async (client) => {
          const isReplaced = await replaceSettings(client, next)
          return { keep: isReplaced, result: isReplaced }
        }),
      ),
    uses: async (organizationId, now) => {
      const quotas = quotasOf(await tracked(() => known.reload()), organizationId)
      const counts = await tracked(() => readCounts(units, organizationId))
      if (!needsStanding(counts, quotas)) return usesIn(counts, quotas, now)
      await recounted(organizationId, now)
      return usesIn(await tracked(() => readCounts(units, organizationId)), quotas, now)
    },
    recount: recounted,
  }
}
