import type { Ms } from '../base/world.ts'

/** What the service itself signs, encrypts and opens. */
export const SERVICE_PURPOSES = ['signer', 'session', 'otp', 'webhook', 'oauth2', 'read-session'] as const

export type ServicePurpose = (typeof SERVICE_PURPOSES)[number]

/** Those with a public half; a read-only session is authenticated with a secret key. */
export const PUBLIC_PURPOSES = [
  'signer',
  'session',
  'otp',
  'webhook',
  'oauth2',
] as const satisfies readonly ServicePurpose[]

export type PublicPurpose = (typeof PUBLIC_PURPOSES)[number]

/** Clients are shown a key before it is used, and go on being shown it for as long as it verifies. */
export const SERVICE_STATES = ['published', 'used', 'verifies'] as const

export type ServiceState = (typeof SERVICE_STATES)[number]

const HOUR_MS: Ms = 60 * 60 * 1000
const DAY_MS: Ms = 24 * HOUR_MS

/** What stands between two versions of a key. */
type ServiceTerms = {
  /** So long is a version shown by every host before it may be used. */
  readonly shownMs: Ms
  /** So long does the one before it verify, or open, from then on. */
  readonly verifiesMs: Ms
  /**
   * Whether it opens what organizations have stored: then it opens, in every state, until nothing is left that needs
   * it.
   */
  readonly opensStored: boolean
}

/** Receivers and caches on the way keep the lists of public keys for a day, as `Cache-Control` says of the longest. */
const PINNED = { shownMs: DAY_MS, verifiesMs: 8 * DAY_MS, opensStored: false }

export const serviceTerms: Readonly<Record<ServicePurpose, ServiceTerms>> = {
  signer: PINNED,
  session: PINNED,
  // Verification tokens and identity tokens end within a day.
  otp: { ...PINNED, verifiesMs: 2 * DAY_MS },
  webhook: PINNED,
  oauth2: { ...PINNED, opensStored: true },
  // No client knows it. Sessions end within an hour; the other hour is for hosts that get the file later.
  'read-session': { shownMs: 0, verifiesMs: 2 * HOUR_MS, opensStored: false },
}
