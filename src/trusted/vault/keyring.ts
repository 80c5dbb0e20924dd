import type { KeyObject } from 'node:crypto'
import { assert } from '../base/assert.ts'
import { utf8 } from '../base/bytes.ts'
import type { Secret } from '../base/secret.ts'
import { aesKey } from '../crypto/aes-gcm.ts'
import { hkdfSha256 } from '../crypto/hkdf.ts'
import { hmacKey } from '../crypto/hmac.ts'

/** 32 random bytes per version; the newest one seals, the older ones only open. */
export type RootKey = { readonly version: number; readonly secret: Secret }

/** Every key that the vault uses is derived from the root key by its purpose, and by the organization where there is one. */
export type Keyring = {
  readonly version: number
  /** Whether the root key file holds this version: what was sealed under another one does not open here. */
  readonly holds: (version: number) => boolean
  /** HMAC-SHA256 key over records of this kind. */
  readonly sealKey: (kind: SealedKind, version: number) => KeyObject
  /** AES-256-GCM key for the objects of one organization. */
  readonly objectKey: (organizationId: string, version: number) => KeyObject
  /** 32 bytes for a key pair of the service itself. It stays the same when the root key is replaced by a newer version. */
  readonly serviceSecret: (purpose: ServicePurpose) => Uint8Array
}

export type SealedKind = 'charter' | 'activity' | 'root-proof'
type ServicePurpose = 'signer' | 'session' | 'otp' | 'webhook' | 'oauth2' | 'read-session'

const OBJECT_KEYS_MAX = 20_000

export function openKeyring(roots: readonly RootKey[]): Keyring {
  const byVersion = new Map(roots.map((root) => [root.version, root.secret]))
  const version = Math.max(...byVersion.keys())
  const first = Math.min(...byVersion.keys())
  const derive = (root: number, salt: string, purpose: string): Uint8Array => {
    const secret = byVersion.get(root)
    assert(secret !== undefined, `root key version ${root} is not in the key ring`)
    return hkdfSha256({
      ikm: secret.reveal(),
      salt: utf8(salt),
      info: utf8(`claviger ${purpose} 1`),
      length: 32,
    })
  }
  const sealKeys = new Map<string, KeyObject>()
  const objectKeys = new Map<string, KeyObject>()
  return {
    version,
    holds: (root) => byVersion.has(root),
    sealKey: (kind, root) =>
      remembered(sealKeys, `${kind} ${root}`, () => hmacKey(derive(root, '', `${kind} seal`))),
    objectKey: (organizationId, root) => {
      if (objectKeys.size > OBJECT_KEYS_MAX) objectKeys.clear()
      return remembered(objectKeys, `${organizationId} ${root}`, () =>
        aesKey(derive(root, organizationId, 'object seal')),
      )
    },
    serviceSecret: (purpose) => derive(first, '', `service ${purpose} key`),
  }
}

function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  const earlier = known.get(name)
  if (earlier !== undefined) return earlier
  const made = make()
  known.set(name, made)
  return made
}
