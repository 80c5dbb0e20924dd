import { hasLastingWay, type Members } from '../../parts/ways-in.ts'
import type { Answered } from '../../service/answered.ts'
import { say } from './words.ts'

/** A feature that this service has, in the order in which they are shown. */
export type KnownFeature = {
  readonly name: string
  readonly word: Parameters<typeof say>[0]
  /** What its value is; one without is on or off. */
  readonly value?: Parameters<typeof say>[0]
}

export const KNOWN_FEATURES: readonly KnownFeature[] = [
  { name: 'FEATURE_NAME_EMAIL_AUTH', word: 'emailAuth' },
  { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', word: 'otpEmailAuth' },
  { name: 'FEATURE_NAME_SMS_AUTH', word: 'smsAuth' },
  { name: 'FEATURE_NAME_EMAIL_RECOVERY', word: 'emailRecovery' },
  { name: 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY', word: 'rootRecovery' },
  { name: 'FEATURE_NAME_WEBAUTHN_USER_VERIFICATION', word: 'userVerification' },
  { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', word: 'origins', value: 'originsValue' },
  { name: 'FEATURE_NAME_OIDC_AUDIENCES', word: 'audiences', value: 'audiencesValue' },
  { name: 'FEATURE_NAME_WEBHOOK', word: 'webhook', value: 'webhookValue' },
  { name: 'FEATURE_NAME_RAW_SIGNING_GUARD', word: 'rawSigningGuard' },
]

/** The users who have a lasting way in with this feature and none without it. */
export function shutOutWithout(members: Members, feature: string): readonly Answered[] {
  const features = new Set([...members.features].filter((name) => name !== feature))
  return members.users.filter(
    (user) => hasLastingWay(members, user) && !hasLastingWay({ ...members, features }, user),
  )
}

/** Whether a list of origins leaves out the one that this page is at, so that no passkey could be used here. */
export function leavesOut(origins: string, origin: string): boolean {
  const listed = origins.split(',').map((one) => one.trim())
  return !listed.includes('*') && !listed.includes(origin)
}
