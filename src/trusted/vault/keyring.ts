import type { KeyObject } from 'node:crypto'
import { assert } from '../base/assert.ts'
import { toHex, utf8 } from '../base/bytes.ts'
import type { Secret } from '../base/secret.ts'
import { aesKey } from '../crypto/aes-gcm.ts'
import { hkdfSha256 } from '../crypto/hkdf.ts'
import { hmacKey } from '../crypto/hmac.ts'
import { RootKeyError } from './root-key-error.ts'
import type { ServiceKey, ServicePurpose } from './service-secrets.ts'

/** 32 random bytes per version; one version seals, all of them open. */
type RootKey = { readonly version: number; readonly secret: Secret }

/** What a root key file holds. */
export type RootKeys = {
  readonly versions: readonly RootKey[]
  /** The version that seals. */
  readonly seals: number
  /** None as long as all of them derive from the lowest version; else each purpose has one that is used. */
  readonly service: readonly ServiceKey[]
}

/** What may be told of the root key: the number of each version, and a name of its bytes that tells nothing of them. */
export type RootKeysShown = {
  readonly seals: number
  readonly versions: readonly { readonly version: number; readonly id: string }[]
}

/** Every key that the vault uses is derived from the root key by its purpose, and by the organization where there is one. */
export type Keyring = {
  /** The version that seals. */
  readonly version: number
  /** Whether the root key file holds this version: what was sealed under another one does not open here. */
  readonly holds: (version: number) => boolean
  /** Whether it has held it since this process began: what is in memory can still be compared with what is stored. */
  readonly hasHeld: (version: number) => boolean
  /** HMAC-SHA256 key over records of this kind. */
  readonly sealKey: (kind: SealedKind, version: number) => KeyObject
  /** AES-256-GCM key for the objects of one organization. */
  readonly objectKey: (organizationId: string, version: number) => KeyObject
  /** 32 bytes for the file of a copy, by a text that is its own. */
  readonly copyKey: (salt: string, version: number) => Uint8Array
  /** 32 bytes for a key pair of the service itself. It stays the same when the root key is replaced by a newer version. */
  readonly serviceSecret: (purpose: ServicePurpose) => Uint8Array
  readonly shown: () => RootKeysShown
  /**
   * Takes what the root key file holds by now.
   *
   * @throws RootKeyError where it is no later state of the same file; what was held before is held still
   */
  readonly adopt: (keys: RootKeys) => void
}

export type SealedKind = 'charter' | 'activity' | 'root-proof' | 'reseal-pass'

const OBJECT_KEYS_MAX = 20_000
const ID_BYTES = 8

/** @param more  the highest version seals, and the service's keys derive from the lowest, unless told */
export function openKeyring(
  roots: readonly RootKey[],
  more: Partial<Omit<RootKeys, 'versions'>> = {},
): Keyring {
  const seals = Math.max(...roots.map(({ version }) => version))
  let held: RootKeys = { versions: roots, seals, service: [], ...more }
  // With those of a version that was retired since this process began.
  const secrets = new Map(roots.map((root) => [root.version, root.secret]))
  const derive = (root: number, salt: string, purpose: string, length = 32): Uint8Array => {
    const secret = secrets.get(root)
    assert(secret !== undefined, `root key version ${root} is not in the key ring`)
    return hkdfSha256({ ikm: secret.reveal(), salt: utf8(salt), info: utf8(`claviger ${purpose} 1`), length })
  }
  const sealKeys = new Map<string, KeyObject>()
  const objectKeys = new Map<string, KeyObject>()
  let heldVersions = new Set(secrets.keys())
  return {
    get version() {
      return held.seals
    },
    holds: (root) => heldVersions.has(root),
    hasHeld: (root) => secrets.has(root),
    sealKey: (kind, root) =>
      remembered(sealKeys, `${kind} ${root}`, () => hmacKey(derive(root, '', `${kind} seal`))),
    objectKey: (organizationId, root) => {
      if (objectKeys.size > OBJECT_KEYS_MAX) objectKeys.clear()
      return remembered(objectKeys, `${organizationId} ${root}`, () =>
        aesKey(derive(root, organizationId, 'object seal')),
      )
    },
    serviceSecret: (purpose) => {
      const used = held.service.find((key) => key.purpose === purpose && key.state === 'used')
      return used?.secret.reveal() ?? derive(Math.min(...heldVersions), '', `service ${purpose} key`)
    },
    shown: () => ({
      seals: held.seals,
      versions: held.versions
        .map(({ version }) => ({ version, id: toHex(derive(version, '', 'root key id', ID_BYTES)) }))
        .toSorted((one, other) => one.version - other.version),
    }),
    adopt: (keys) => {
      checkFollows(held, keys, secrets)
      for (const { version, secret } of keys.versions) if (!secrets.has(version)) secrets.set(version, secret)
      held = keys
      heldVersions = new Set(keys.versions.map(({ version }) => version))
    },
    copyKey: (salt, root) => derive(root, salt, 'copy'),
  }
}

/** The file was replaced while it is in use: the same keys stay what they are, and what seals only goes up. */
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
}

function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  const earlier = known.get(name)
  if (earlier !== undefined) return earlier
  const made = make()
  known.set(name, made)
  return made
}
