import type { KeyObject } from 'node:crypto'
import { assert } from '../../base/assert.ts'
import { equalBytes, toHex, utf8 } from '../../base/bytes.ts'
import { Lru } from '../../base/lru.ts'
import { Secret } from '../../base/secret.ts'
import { aesKey } from '../../crypto/aes-gcm.ts'
import { hkdfSha256 } from '../../crypto/hkdf.ts'
import { hmacKey } from '../../crypto/hmac.ts'
import { RootKeyError } from './root-key-error.ts'
import { SERVICE_PURPOSES, type ServicePurpose } from '../../catalogue/service-purposes.ts'
import type { ServiceKey } from './service-secrets.ts'

/** 32 random bytes per version; one version seals, all of them open. */
type RootKey = { readonly version: number; readonly secret: Secret }

/** What a root key file holds. */
export type RootKeys = {
  readonly versions: readonly RootKey[]
  /** The version that seals. */
  readonly seals: number
  /** Empty while all of them derive from the lowest version; otherwise each purpose has one that is used. */
  readonly service: readonly ServiceKey[]
}

/**
 * The public description of the root key: the number of each version, and an id of its bytes that reveals nothing about
 * them.
 */
export type RootKeysShown = {
  readonly seals: number
  readonly versions: readonly { readonly version: number; readonly id: string }[]
  /** Keys of the service itself; empty while they derive from the lowest version. */
  readonly service: readonly (Pick<ServiceKey, 'purpose' | 'version' | 'state'> & { readonly id: string })[]
}

/**
 * Every key that the vault uses is derived from the root key by its purpose, and by the organization where there is
 * one.
 */
export type Keyring = {
  /** The version that seals. */
  readonly version: number
  /** Whether the root key file holds this version; data sealed under another one does not open here. */
  readonly holds: (version: number) => boolean
  /**
   * Whether it has held this version since the process started, so that data in memory can still be compared with
   * stored data.
   */
  readonly hasHeld: (version: number) => boolean
  /** HMAC-SHA256 key over records of this kind. */
  readonly sealKey: (kind: SealedKind, version: number) => KeyObject
  /** AES-256-GCM key for the objects of one organization. */
  readonly objectKey: (organizationId: string, version: number) => KeyObject
  /** 32 bytes for the file of a copy, by its own salt. */
  readonly copyKey: (salt: string, version: number) => Uint8Array
  /**
   * 32 bytes for a key of the service itself, in the version that is used. They stay the same when the root key is
   * replaced by a newer version.
   */
  readonly serviceSecret: (purpose: ServicePurpose) => Uint8Array
  /** The version that this is. */
  readonly serviceVersion: (purpose: ServicePurpose) => number
  /** Every version of it, in the states that they have. */
  readonly serviceKeys: (purpose: ServicePurpose) => readonly ServiceKey[]
  readonly shown: () => RootKeysShown
  /**
   * Adopts the current content of the root key file.
   *
   * @throws RootKeyError where it is not a later state of the same file; the previous keys then stay
   */
  readonly adopt: (keys: RootKeys) => void
}

export type SealedKind = 'charter' | 'activity' | 'root-proof' | 'reseal-pass' | 'erased'

const OBJECT_KEYS_MAX = 20_000
const ID_BYTES = 8

/** @param more  options; by default the highest version seals, and the service's keys derive from the lowest */
export function openKeyring(
  roots: readonly RootKey[],
  more: Partial<Omit<RootKeys, 'versions'>> = {},
): Keyring {
  const seals = Math.max(...roots.map(({ version }) => version))
  let held: RootKeys = { versions: roots, seals, service: [], ...more }
  let service = serviceKeysIn(held)
  // With those of a version that was retired since this process began.
  const secrets = new Map(roots.map((root) => [root.version, root.secret]))
  const derive = (root: number, salt: string, purpose: string, length = 32): Uint8Array => {
    const secret = secrets.get(root)
    assert(secret !== undefined, `root key version ${root} is not in the key ring`)
    return derived(secret, salt, purpose, length)
  }
  const sealKeys = new Map<string, KeyObject>()
  const objectKeys = new Lru<KeyObject>(OBJECT_KEYS_MAX)
  let heldVersions = new Set(secrets.keys())
  return {
    get version() {
      return held.seals
    },
    holds: (root) => heldVersions.has(root),
    hasHeld: (root) => secrets.has(root),
    sealKey: (kind, root) =>
      remembered(sealKeys, `${kind} ${root}`, () => hmacKey(derive(root, '', `${kind} seal`))),
    objectKey: (organizationId, root) =>
      remembered(objectKeys, `${organizationId} ${root}`, () =>
        aesKey(derive(root, organizationId, 'object seal')),
      ),
    serviceSecret: (purpose) => usedKey(service, purpose).secret.reveal(),
    serviceVersion: (purpose) => usedKey(service, purpose).version,
    serviceKeys: (purpose) => service.filter((key) => key.purpose === purpose),
    shown: () => ({
      seals: held.seals,
      versions: held.versions
        .map(({ version }) => ({ version, id: toHex(derive(version, '', 'root key id', ID_BYTES)) }))
        .toSorted((one, other) => one.version - other.version),
      service: held.service.map(({ purpose, version, state, secret }) => ({
        purpose,
        version,
        state,
        id: toHex(
          hkdfSha256({
            ikm: secret.reveal(),
            salt: new Uint8Array(),
            info: utf8('claviger service key id 1'),
            length: ID_BYTES,
          }),
        ),
      })),
    }),
    adopt: (keys) => {
      checkFollows(held, keys, secrets)
      for (const { version, secret } of keys.versions) if (!secrets.has(version)) secrets.set(version, secret)
      held = keys
      service = serviceKeysIn(keys)
      heldVersions = new Set(keys.versions.map(({ version }) => version))
    },
    copyKey: (salt, root) => derive(root, salt, 'copy'),
  }
}

/**
 * Checks a file that was replaced while in use: existing keys must stay the same, and the sealing version may only
 * increase.
 */
function checkFollows(held: RootKeys, keys: RootKeys, secrets: ReadonlyMap<number, Secret>): void {
  if (keys.seals < held.seals)
    throw new RootKeyError(
      `version ${keys.seals} seals by the root key file, and version ${held.seals} has sealed already: bring the newer file`,
    )
  const lowest = (versions: readonly RootKey[]) => Math.min(...versions.map(({ version }) => version))
  if (keys.service.length === 0 && lowest(keys.versions) !== lowest(held.versions))
    throw new RootKeyError(
      `version ${lowest(held.versions)} is gone from the root key file, and the service's own keys with it: ` +
        'put it back, and let claviger root-key retire remove it',
    )
  const other = keys.versions.find(({ version, secret }) => {
    const known = secrets.get(version)
    return known !== undefined && toHex(known.reveal()) !== toHex(secret.reveal())
  })
  if (other !== undefined)
    throw new RootKeyError(`version ${other.version} of the root key file is another key than the one in use`)
  const [known, next] = [serviceKeysIn(held), serviceKeysIn(keys)]
  for (const purpose of SERVICE_PURPOSES) {
    const [was, is] = [usedKey(known, purpose).version, usedKey(next, purpose).version]
    if (is < was)
      throw new RootKeyError(
        `version ${is} of the ${purpose} key is used by the root key file, and version ${was} has been used already: ` +
          'bring the newer file',
      )
  }
  for (const { purpose, version, secret } of next) {
    const same = known.find((key) => key.purpose === purpose && key.version === version)
    if (same !== undefined && toHex(same.secret.reveal()) !== toHex(secret.reveal()))
      throw new RootKeyError(
        `version ${version} of the ${purpose} key is another key in the root key file than the one in use`,
      )
  }
}

/**
 * The keys of the service itself as a file has them. Of a purpose of which it has none, version 1 derives from the
 * lowest version.
 */
export function serviceKeysIn({ versions, service }: RootKeys): readonly ServiceKey[] {
  const lowest = versions.reduce((one, other) => (other.version < one.version ? other : one))
  const missing = SERVICE_PURPOSES.filter((purpose) => !service.some((key) => key.purpose === purpose))
  return [
    ...service,
    ...missing.map((purpose) => ({
      purpose,
      version: 1,
      state: 'used' as const,
      secret: new Secret(derivedService(lowest, purpose)),
    })),
  ]
}

/**
 * Where a key of the service comes from: a version of the root key that the file holds, one that it does not hold any
 * more, or chance. The first version of each purpose derives from the root key, and no later one does.
 */
export function originOf({ versions }: RootKeys, { purpose, version, secret }: ServiceKey): KeyOrigin {
  if (version > 1) return { kind: 'random' }
  const from = versions.find((root) => equalBytes(derivedService(root, purpose), secret.reveal()))
  return from === undefined ? { kind: 'retired' } : { kind: 'held', version: from.version }
}

type KeyOrigin = { readonly kind: 'random' | 'retired' } | { readonly kind: 'held'; readonly version: number }

function derivedService({ secret }: RootKey, purpose: ServicePurpose): Uint8Array {
  return derived(secret, '', `service ${purpose} key`)
}

function usedKey(keys: readonly ServiceKey[], purpose: ServicePurpose): ServiceKey {
  const used = keys.find((key) => key.purpose === purpose && key.state === 'used')
  if (used === undefined) throw new RootKeyError(`the root key file has no ${purpose} key that is used`)
  return used
}

function derived(root: Secret, salt: string, purpose: string, length = 32): Uint8Array {
  return hkdfSha256({ ikm: root.reveal(), salt: utf8(salt), info: utf8(`claviger ${purpose} 1`), length })
}

function remembered<T>(known: Map<string, T> | Lru<T>, name: string, make: () => T): T {
  const earlier = known.get(name)
  if (earlier !== undefined) return earlier
  const made = make()
  known.set(name, made)
  return made
}
