import { hash } from 'node:crypto'
import { costs } from '../base/costs.ts'
import { lowerAscii } from '../base/lower-ascii.ts'
import { finished, type Steps } from '../base/work.ts'
import { type Charter, featureOf, type User, type WebhookEndpoint } from './charter.ts'
import { soleKeyOf } from './proven-credential.ts'

/**
 * The kinds of values that `list_suborgs` can look for, and by which a login with the parent's id finds a
 * sub-organization.
 */
export type LookupKind =
  | 'SUB_ORGANIZATION'
  | 'NAME'
  | 'FOLDED_NAME'
  | 'USERNAME'
  | 'EMAIL'
  | 'PHONE_NUMBER'
  | 'CREDENTIAL_ID'
  | 'PUBLIC_KEY'
  | 'PROVEN_CREDENTIAL_ID'
  | 'PROVEN_PUBLIC_KEY'
  | 'SOLE_PUBLIC_KEY'
  | 'VERIFIED_EMAIL'
  | 'VERIFIED_PHONE_NUMBER'
  | 'OIDC_IDENTITY'
  | 'PROVEN_WALLET'

export type Lookup = { readonly kind: LookupKind; readonly value: string }

/**
 * How a sub-organization is found from its parent: computed from its charter and nothing else. A top-level one is not
 * looked up.
 */
export function lookupsOf(charter: Charter): readonly Lookup[] {
  return finished(lookupSteps(charter))
}

/** The same in steps; of its users only these where they are named. */
export function* lookupSteps(charter: Charter, users = charter.users): Steps<readonly Lookup[]> {
  if (charter.parentId === null || charter.deleted) return []
  const sole = soleKeyOf(charter)
  return unique([
    { kind: 'SUB_ORGANIZATION', value: '' },
    { kind: 'NAME', value: charter.organizationName },
    { kind: 'FOLDED_NAME', value: lookupValue('FOLDED_NAME', charter.organizationName) },
    ...(yield* userLookupSteps(users)),
    ...(sole === undefined ? [] : [{ kind: 'SOLE_PUBLIC_KEY' as const, value: sole }]),
  ])
}

/** What these users of a sub-organization are found by, in steps. */
export function* userLookupSteps(users: readonly User[]): Steps<readonly Lookup[]> {
  const found: Lookup[] = []
  for (const user of users) {
    yield lookupsIn(user) * costs.lookup
    found.push({ kind: 'USERNAME', value: user.userName })
    if (user.userEmail !== undefined)
      found.push({ kind: 'EMAIL', value: lookupValue('EMAIL', user.userEmail) })
    if (user.userPhoneNumber !== undefined) found.push({ kind: 'PHONE_NUMBER', value: user.userPhoneNumber })
    found.push(...provenOf(user))
    for (const { publicKey: value, proven } of user.apiKeys)
      found.push(
        { kind: 'PUBLIC_KEY', value },
        ...(proven ? [{ kind: 'PROVEN_PUBLIC_KEY' as const, value }] : []),
      )
    for (const { credentialId: value, proven } of user.authenticators)
      found.push(
        { kind: 'CREDENTIAL_ID', value },
        ...(proven ? [{ kind: 'PROVEN_CREDENTIAL_ID' as const, value }] : []),
      )
  }
  return found
}

/** At most so many lead to the organization of this user. */
export function lookupsIn({ apiKeys, authenticators, oauthProviders, walletAuthenticators }: User): number {
  return (
    5 + 2 * (apiKeys.length + authenticators.length) + oauthProviders.length + walletAuthenticators.length
  )
}

/**
 * Values that their holder has proven to own. By these a login that names only the parent finds its sub-organization.
 */
function provenOf(user: User): readonly Lookup[] {
  const { userEmail, emailVerified, userPhoneNumber, phoneNumberVerified } = user
  return [
    ...(userEmail !== undefined && emailVerified
      ? [{ kind: 'VERIFIED_EMAIL' as const, value: lookupValue('VERIFIED_EMAIL', userEmail) }]
      : []),
    ...(userPhoneNumber !== undefined && phoneNumberVerified
      ? [{ kind: 'VERIFIED_PHONE_NUMBER' as const, value: userPhoneNumber }]
      : []),
    ...user.oauthProviders
      .filter(({ isClaimed }) => isClaimed !== true)
      .map((oauthProvider) => ({ kind: 'OIDC_IDENTITY' as const, value: oidcIdentity(oauthProvider) })),
    ...user.walletAuthenticators
      .filter(({ proven }) => proven === true)
      .map((walletAuthenticator) => ({
        kind: 'PROVEN_WALLET' as const,
        value: walletLogin(walletAuthenticator),
      })),
  ]
}

/** The three parts of an identity elsewhere as one text of 64 hex digits, whatever their length. */
export function oidcIdentity(identity: {
  readonly issuer: string
  readonly audience: string
  readonly subject: string
}): string {
  return hash('sha256', JSON.stringify([identity.issuer, identity.audience, identity.subject]), 'hex')
}

/** A wallet and the domain that it logs in at, as one text of 64 hex digits. */
export function walletLogin(wallet: {
  readonly type: string
  readonly address: string
  readonly domain: string
}): string {
  return hash('sha256', JSON.stringify([wallet.type, wallet.address, wallet.domain]), 'hex')
}

/**
 * The value as the directory holds it: folded names, e-mail addresses and hexadecimal keys are compared without regard
 * to case.
 */
export function lookupValue(kind: LookupKind, value: string): string {
  return caseless.has(kind) ? lowerAscii(value) : value
}

const caseless: ReadonlySet<LookupKind> = new Set([
  'FOLDED_NAME',
  'EMAIL',
  'VERIFIED_EMAIL',
  'PUBLIC_KEY',
  'PROVEN_PUBLIC_KEY',
  'SOLE_PUBLIC_KEY',
])

/**
 * The targets that get the organization's activities, under its own id and the kind `WEBHOOK`. The target of the
 * feature is its name.
 */
export function webhookTargetsOf(charter: Charter): readonly string[] {
  if (charter.deleted) return []
  const feature = featureOf(charter, WEBHOOK_FEATURE) === undefined ? [] : [WEBHOOK_FEATURE]
  return [...feature, ...charter.webhookEndpoints.filter(getsActivities).map(({ endpointId }) => endpointId)]
}

export const WEBHOOK_FEATURE = 'FEATURE_NAME_WEBHOOK'

/** Whether the endpoint gets deliveries: it needs an active subscription, and to be active itself. */
export function getsActivities({ isActive, subscriptions }: WebhookEndpoint): boolean {
  return (
    isActive &&
    subscriptions.some(
      (subscription) => subscription.isActive && subscription.eventType === 'ACTIVITY_UPDATES',
    )
  )
}

function unique(lookups: readonly Lookup[]): readonly Lookup[] {
  return [...new Map(lookups.map((lookup) => [`${lookup.kind} ${lookup.value}`, lookup])).values()]
}
