import { defineKind } from '../catalogue/objects.ts'
import { forgottenAt, type UsageSlots } from '../policy/usage-window.ts'

/** The count of a meter, for one combination of the values by which it counts separately. */
export type UsageMeter = {
  readonly key: string
  readonly windowMs: number
  /** Amounts as decimal text. */
  readonly slots: readonly (readonly [slot: number, amount: string])[]
}

export const usageMeters = defineKind<UsageMeter>({
  kind: 'usage_meter',
  guardedBy: 'row',
  expiresAt: ({ slots, windowMs }) => forgottenAt(slotsOf(slots), windowMs),
})

export const USAGE_METER = usageMeters.kind

export function slotsOf(slots: UsageMeter['slots']): UsageSlots {
  return slots.map(([slot, amount]) => [slot, BigInt(amount)])
}
