import type { QuotaUse } from '../store/quotas/quota.ts'

export type Fullness = 'full' | 'nearly full'

/** From this share on, a quota is nearly full. */
const NEAR = 0.8

/** Undefined if there is enough left. */
export function fullnessOf({ most, used }: Pick<QuotaUse, 'most' | 'used'>): Fullness | undefined {
  if (used >= most) return 'full'
  return used >= most * NEAR ? 'nearly full' : undefined
}
