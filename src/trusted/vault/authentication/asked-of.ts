import type { Activity, AskedOf } from '../../catalogue/activity.ts'
import type { Approval } from '../../policy/people.ts'

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

/**
 * Whether the activity is about credentials of this user, who may have it carried out alone where no policy decides.
 */
export function mayAloneAsOwner(
  { authority }: Activity,
  intent: unknown,
  { user, credentials }: Approval,
): boolean {
  if (authority.kind !== 'ownCredentials' || ![undefined, user.id].includes(authority.owner(intent)))
    return false
  const { stampedWith } = authority
  return stampedWith === undefined || credentials.some(({ type }) => type === stampedWith)
}
