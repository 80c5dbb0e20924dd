import { claimsNothing, type ObjectKind } from '../catalogue/objects.ts'
import { forgottenAt, type UsageSlots } from '../policy/usage-window.ts'

/** The count of a meter, for one combination of the values by which it counts separately. */
export type UsageMeter = {
  readonly key: string
  readonly windowMs: number
  /** Amounts as decimal text. */
  readonly slots: readonly (readonly [slot: number, amount: string])[]
}

export const usageMeters: ObjectKind<UsageMeter> = {
  kind: 'usage_meter',
  ...claimsNothing('a meter'),
  entries: () => [],
  // Only a body that the vault has sealed is parsed, and it sealed no other shape.
  parse: (body) => JSON.parse(body) as UsageMeter,
  guardedBy: 'row',
  expiresAt: ({ slots, windowMs }) => forgottenAt(slotsOf(slots), windowMs),
}

export const USAGE_METER = usageMeters.kind

export function slotsOf(slots: UsageMeter['slots']): UsageSlots {
  return slots.map(([slot, amount]) => [slot, BigInt(amount)])
}
