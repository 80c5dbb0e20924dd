import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { amountOf } from './amount-of.ts'

/**
 * `name`: as the interface has it, such as `QUOTA_REQUESTS`. `returnsAt`: when a new day is counted, in ms since 1970.
 */
export type Quota = {
  readonly name: string
  readonly most: bigint
  readonly used: bigint
  readonly returnsAt: number | undefined
}

/** None where the operator has set none. */
export async function quotasNow(session: Session): Promise<readonly Quota[]> {
  return (await session.query('list_quotas')).list('quotas').map(quotaOf)
}

function quotaOf(quota: Answered): Quota {
  return {
    name: quota.text('quota'),
    most: amountOf(quota, 'most'),
    used: amountOf(quota, 'used'),
    returnsAt: quota.has('returnsAt') ? quota.object('returnsAt').number('seconds') * 1_000 : undefined,
  }
}

/** From 80 percent on a quota is nearly full, as for the operator; undefined where there is room. */
export function fullnessOf(used: bigint, most: bigint): 'full' | 'nearlyFull' | undefined {
  if (used >= most) return 'full'
  return used * 5n >= most * 4n ? 'nearlyFull' : undefined
}
