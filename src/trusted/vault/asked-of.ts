import type { Activity, AskedOf } from '../catalogue/activity.ts'

/** Who is asked for a request that policies have no say in; undefined where they have. */
export function askedOf({
  activity: { authority },
  intent,
}: {
  readonly activity: Activity
  readonly intent: unknown
}): AskedOf | undefined {
  return authority.kind === 'rootQuorum' ? (authority.askedOf?.(intent) ?? 'rootQuorum') : undefined
}
