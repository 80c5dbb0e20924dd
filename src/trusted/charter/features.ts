import { defineFailure, FAILED_PRECONDITION, INVALID_ARGUMENT, PERMISSION_DENIED } from '../base/failure.ts'
import type { TargetRules } from '../base/public-address.ts'
import { type Charter, type Feature, featureOf } from './charter.ts'
import { AUDIENCES_FEATURE, audiencesProblem } from './identity-audiences.ts'
import {
  RECOVERY_ATTEMPT_FEATURE,
  RECOVERY_FEATURE,
  recoverySetProblem,
  recoveryStepProblem,
} from './organization-recovery.ts'
import { webhookUrlProblem } from './webhooks.ts'
import { placed } from './placed.ts'

/** Every name that is published; `BUILT` says which of them do something here. */
export const PUBLISHED_FEATURES = [
  'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY',
  'FEATURE_NAME_WEBAUTHN_ORIGINS',
  'FEATURE_NAME_EMAIL_AUTH',
  'FEATURE_NAME_EMAIL_RECOVERY',
  'FEATURE_NAME_WEBHOOK',
  'FEATURE_NAME_SMS_AUTH',
  'FEATURE_NAME_OTP_EMAIL_AUTH',
  'FEATURE_NAME_AUTH_PROXY',
  'FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED',
  'FEATURE_NAME_SWAP_CONFIG',
  'FEATURE_NAME_EARN_CONFIG',
] as const

/** Names of this service alone: docs/decisions/raw-signing.md, identity-tokens.md, webauthn.md and break-glass.md. */
export const SERVICE_FEATURES = [
  'FEATURE_NAME_RAW_SIGNING_GUARD',
  AUDIENCES_FEATURE,
  'FEATURE_NAME_WEBAUTHN_USER_VERIFICATION',
  RECOVERY_FEATURE,
  RECOVERY_ATTEMPT_FEATURE,
] as const

export type FeatureName = (typeof PUBLISHED_FEATURES)[number] | (typeof SERVICE_FEATURES)[number]

/**
 * Features as they are answered. Clients read the published names as a closed list, and some refuse an answer with any
 * other in it, so that those of this service stand apart.
 */
export function featuresApart(features: readonly Feature[]): {
  readonly features: readonly Feature[]
  readonly serviceFeatures?: readonly Feature[]
} {
  const own = features.filter(({ name }) => isServiceFeature(name))
  return {
    features: features.filter(({ name }) => !isServiceFeature(name)),
    ...(own.length === 0 ? {} : { serviceFeatures: own }),
  }
}

function isServiceFeature(name: string): boolean {
  return SERVICE_FEATURES.some((item) => item === name)
}

/**
 * The features that an organization may have, each with the check of its value. The login and recovery features are
 * switches whose value means nothing.
 */
const BUILT: Readonly<
  Partial<Record<FeatureName, (value: string, targets: TargetRules) => string | undefined>>
> = {
  FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY: anyValue,
  FEATURE_NAME_EMAIL_AUTH: anyValue,
  FEATURE_NAME_EMAIL_RECOVERY: anyValue,
  FEATURE_NAME_SMS_AUTH: anyValue,
  FEATURE_NAME_OTP_EMAIL_AUTH: anyValue,
  FEATURE_NAME_WEBAUTHN_ORIGINS: originsProblem,
  FEATURE_NAME_WEBHOOK: webhookProblem,
  FEATURE_NAME_RAW_SIGNING_GUARD: anyValue,
  FEATURE_NAME_WEBAUTHN_USER_VERIFICATION: anyValue,
  [AUDIENCES_FEATURE]: audiencesProblem,
  [RECOVERY_FEATURE]: recoverySetProblem,
  [RECOVERY_ATTEMPT_FEATURE]: recoveryStepProblem,
}

export const featureNotBuilt = defineFailure<{ readonly name: string }>({
  kind: 'featureNotBuilt',
  code: FAILED_PRECONDITION,
  say: ({ name }) => `feature ${name} is not supported by this version of the service`,
})

export const invalidFeatureValue = defineFailure<{ readonly name: string; readonly problem: string }>({
  kind: 'invalidFeatureValue',
  code: INVALID_ARGUMENT,
  say: ({ name, problem }) => `invalid value of feature ${name}: ${problem}`,
})

/** @param targets  where webhooks may go */
export function checkFeature(name: FeatureName, value: string, targets: TargetRules): void {
  const problemOf = BUILT[name]
  if (problemOf === undefined) throw featureNotBuilt({ name })
  const problem = problemOf(value, targets)
  if (problem !== undefined) throw invalidFeatureValue({ name, problem })
}

/** The charter with this feature instead of the one of its name, or in addition. */
export function withFeature(charter: Charter, feature: Feature): Charter {
  return { ...charter, features: placed(charter.features, feature, ({ name }) => name === feature.name) }
}

export const featureDisabled = defineFailure<{ readonly name: string; readonly organizationId: string }>({
  kind: 'featureDisabled',
  code: PERMISSION_DENIED,
  errorCode: 'FORBIDDEN',
  say: ({ name, organizationId }) =>
    `feature ${name} is not enabled in organization ${organizationId}: it can be set with set_organization_feature`,
})

/** Refuses a feature that one of these organizations has not switched on. */
export function requireFeature(name: FeatureName, charters: readonly (Charter | undefined)[]): void {
  for (const charter of charters) {
    if (charter !== undefined && featureOf(charter, name) === undefined)
      throw featureDisabled({ name, organizationId: charter.organizationId })
  }
}

/** Removing a feature that is not set is no failure. */
export function withoutFeature(charter: Charter, name: string): Charter {
  return { ...charter, features: charter.features.filter((feature) => feature.name !== name) }
}

/** In a new sub-organization every login is on, except those that its creator switched off. */
export function subOrganizationFeatures(disabled: {
  readonly disableEmailAuth?: boolean
  readonly disableOtpEmailAuth?: boolean
  readonly disableSmsAuth?: boolean
  readonly disableEmailRecovery?: boolean
}): readonly Feature[] {
  const switches: readonly (readonly [FeatureName, boolean | undefined])[] = [
    ['FEATURE_NAME_EMAIL_AUTH', disabled.disableEmailAuth],
    ['FEATURE_NAME_OTP_EMAIL_AUTH', disabled.disableOtpEmailAuth],
    ['FEATURE_NAME_SMS_AUTH', disabled.disableSmsAuth],
    ['FEATURE_NAME_EMAIL_RECOVERY', disabled.disableEmailRecovery],
  ]
  return switches.filter(([, isDisabled]) => isDisabled !== true).map(([name]) => ({ name }))
}

function anyValue(): undefined {
  return undefined
}

/** A passkey is checked against these texts character by character, so only the form that browsers report is taken. */
function originsProblem(value: string): string | undefined {
  if (value.trim() === '*') return undefined
  const wrong = value
    .split(',')
    .map((origin) => origin.trim())
    .find((origin) => !isOrigin(origin))
  return wrong === undefined
    ? undefined
    : `it takes origins such as https://example.com, separated by commas, or * alone, not ${JSON.stringify(wrong.slice(0, 100))}`
}

/**
 * Whether the text is an origin as WebAuthn clients report it: a web page in serialised form, or an Android app by its
 * signing certificate.
 */
function isOrigin(text: string): boolean {
  if (/^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(text)) return true
  return httpUrlOf(text)?.origin === text
}

function webhookProblem(value: string, targets: TargetRules): string | undefined {
  const because = webhookUrlProblem(value, targets)
  return because === undefined
    ? undefined
    : `it takes an https URL at a public address: ${JSON.stringify(value.slice(0, 100))} ${because}`
}

function httpUrlOf(text: string): URL | undefined {
  const url = /^https?:\/\/\S+$/.test(text) ? URL.parse(text) : null
  return url ?? undefined
}
