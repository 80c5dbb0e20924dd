import type { Activity, AskedOf } from '../../catalogue/activity.ts'

/** The users who decide a request that policies cannot allow; undefined where policies decide. */
export function askedOf({
  activity: { authority },
  intent,
}: {
  readonly activity: Activity
  readonly intent: unknown
}): AskedOf | undefined {
  return authority.kind === 'rootQuorum' ? (authority.askedOf?.(intent) ?? 'rootQuorum') : undefined
}
