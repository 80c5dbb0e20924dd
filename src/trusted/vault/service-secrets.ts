import type { Ms } from '../base/world.ts'
import type { Secret } from '../base/secret.ts'
import {
  SERVICE_PURPOSES,
  SERVICE_STATES,
  type ServicePurpose,
  type ServiceState,
} from '../catalogue/service-purposes.ts'

/** A key pair of the service itself, as the root key file has it. */
export type ServiceKey = {
  readonly purpose: ServicePurpose
  readonly version: number
  readonly state: ServiceState
  /** Of one that is published: since when every host shows it. Of one that is used: since when it is. */
  readonly since?: Ms
  /** Of one that verifies: from then on it does not. */
  readonly until?: Ms
  readonly secret: Secret
}

/** Those that verify, or will: all but what has ended. One that is published verifies, since another host may use it already. */
export function verifyingAt(keys: readonly ServiceKey[], at: Ms): readonly ServiceKey[] {
  return keys.filter(({ until = Number.POSITIVE_INFINITY }) => at < until)
}

export function isServicePurpose(value: unknown): value is ServicePurpose {
  return SERVICE_PURPOSES.some((purpose) => purpose === value)
}

export function isServiceState(value: unknown): value is ServiceState {
  return SERVICE_STATES.some((state) => state === value)
}
