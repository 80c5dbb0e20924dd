import type { Ms } from '../base/world.ts'
import type { Secret } from '../base/secret.ts'

/** What the service itself signs, encrypts and opens. */
export const SERVICE_PURPOSES = ['signer', 'session', 'otp', 'webhook', 'oauth2', 'read-session'] as const

export type ServicePurpose = (typeof SERVICE_PURPOSES)[number]

/** Clients are shown a key before it is used, and go on being shown it for as long as it verifies. */
const SERVICE_STATES = ['published', 'used', 'verifies'] as const

/** A key pair of the service itself, as the root key file has it. */
export type ServiceKey = {
  readonly purpose: ServicePurpose
  readonly version: number
  readonly state: (typeof SERVICE_STATES)[number]
  /** Of one that verifies: from then on it does not. */
  readonly until?: Ms
  readonly secret: Secret
}

export function isServicePurpose(value: unknown): value is ServicePurpose {
  return SERVICE_PURPOSES.some((purpose) => purpose === value)
}

export function isServiceState(value: unknown): value is ServiceKey['state'] {
  return SERVICE_STATES.some((state) => state === value)
}
