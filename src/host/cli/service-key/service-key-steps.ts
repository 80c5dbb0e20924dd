import type { ServicePurpose, ServiceState } from '../../../trusted/catalogue/service-purposes.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import type { RootKeysShown } from '../../../trusted/vault/keys/keyring.ts'
import type { ServiceKey } from '../../../trusted/vault/keys/service-secrets.ts'
import type { HostShown } from '../../rotation/hosts.ts'

/** Whether a host has this version, with this key, in one of these states. */
export function hostHas(
  { service = [] }: Pick<HostShown, 'service'>,
  wanted: RootKeysShown['service'][number] | undefined,
  states: readonly ServiceState[],
): boolean {
  return service.some(
    ({ purpose, version, state, id }) =>
      purpose === wanted?.purpose && version === wanted.version && id === wanted.id && states.includes(state),
  )
}

export function shownKey(
  { service }: RootKeysShown,
  { purpose, version }: { readonly purpose: ServicePurpose; readonly version: number },
): RootKeysShown['service'][number] | undefined {
  return service.find((key) => key.purpose === purpose && key.version === version)
}

/** The keys, with one of them in another state. */
export function withState(
  keys: readonly ServiceKey[],
  { purpose, version }: Pick<ServiceKey, 'purpose' | 'version'>,
  { state, since, until }: Pick<ServiceKey, 'state' | 'since' | 'until'>,
): readonly ServiceKey[] {
  return keys.map((key) =>
    key.purpose === purpose && key.version === version
      ? {
          purpose,
          version,
          state,
          ...(since === undefined ? {} : { since }),
          ...(until === undefined ? {} : { until }),
          secret: key.secret,
        }
      : key,
  )
}

export function instantShown(at: Ms): string {
  return new Date(at).toISOString()
}
