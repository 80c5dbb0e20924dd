import type { Ms } from '../../base/world.ts'
import type { Secret } from '../../base/secret.ts'
import {
  SERVICE_PURPOSES,
  SERVICE_STATES,
  type ServicePurpose,
  type ServiceState,
} from '../../catalogue/service-purposes.ts'

/** A key pair of the service itself, as the root key file has it. */
export type ServiceKey = {
  readonly purpose: ServicePurpose
  readonly version: number
  readonly state: ServiceState
  /** For a published key: the time from which every host shows it. For a used key: the time from which it is used. */
  readonly since?: Ms
  /** For a key that still verifies: the time at which it stops. */
  readonly until?: Ms
  readonly secret: Secret
}

/**
 * The keys that verify, now or later: all except expired ones. A published key verifies, since another host may use it
 * already.
 */
export function verifyingAt(keys: readonly ServiceKey[], at: Ms): readonly ServiceKey[] {
  return keys.filter(({ until = Number.POSITIVE_INFINITY }) => at < until)
}

export function isServicePurpose(value: unknown): value is ServicePurpose {
  return SERVICE_PURPOSES.some((purpose) => purpose === value)
}

export function isServiceState(value: unknown): value is ServiceState {
  return SERVICE_STATES.some((state) => state === value)
}
