import { ALREADY_EXISTS, defineFailure, NOT_FOUND } from '../base/failure.ts'
import { isUuid } from '../base/ids.ts'
import type { Ms } from '../base/world.ts'
import type { AddressFormat } from '../chains/address-format.ts'
import {
  defineKind,
  type LookupKey,
  objectsById,
  objectsFound,
  type ObjectsNeed,
  type Opened,
} from '../catalogue/objects.ts'
import type { Curve } from '../crypto/curve.ts'

type KeyMaterial = { readonly curve: Curve; readonly publicKey: string }

/** The metadata of a private key; it is sealed together with the key. */
export type PrivateKey = {
  readonly privateKeyId: string
  readonly privateKeyName: string
  readonly curve: Curve
  /** secp256k1 and P-256: 33 bytes compressed; Ed25519: 32 bytes; lowercase hex. */
  readonly publicKey: string
  /**
   * Of an imported key: the same 32 bytes on the other curve of ECDSA. Absent in bodies of before this rule, and where
   * the bytes are no key there.
   */
  readonly twin?: KeyMaterial
  readonly addresses: readonly { readonly format: AddressFormat; readonly address: string }[]
  readonly privateKeyTags: readonly string[]
  readonly exported: boolean
  readonly imported: boolean
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export const privateKeys = defineKind<PrivateKey>({
  kind: 'private_key',
  claims: (key) => [
    { kind: 'PRIVATE_KEY_NAME', value: key.privateKeyName },
    materialClaim(key),
    ...(key.twin === undefined ? [] : [materialClaim(key.twin)]),
  ],
  entries: (key) => [
    ...[...new Set(key.addresses.map(({ address }) => address))].map((value) => ({ kind: 'ADDRESS', value })),
    ...key.privateKeyTags.map((value) => ({ kind: 'PRIVATE_KEY_TAG', value })),
  ],
  taken: (claim, privateKeyId) =>
    claim.kind === 'PRIVATE_KEY_NAME'
      ? privateKeyNameTaken({ privateKeyName: claim.value })
      : privateKeyAlreadyImported({ privateKeyId }),
})

/**
 * The claim that only one private key of the organization may hold this key material. An imported key claims its twin
 * too: with one secret on both curves, two signatures reveal it (docs/decisions/one-curve.md).
 */
export function materialClaim({ curve, publicKey }: KeyMaterial): LookupKey {
  return { kind: 'PRIVATE_KEY_MATERIAL', value: `${curve} ${publicKey}` }
}

export const privateKeyNotFound = defineFailure<{
  readonly privateKeyId: string
  readonly organizationId: string
}>({
  kind: 'privateKeyNotFound',
  code: NOT_FOUND,
  say: ({ privateKeyId, organizationId }) =>
    `unable to find private key ${privateKeyId} in organization ${organizationId}`,
})

export const nothingToSignWith = defineFailure({
  kind: 'nothingToSignWith',
  code: NOT_FOUND,
  say: () => 'Could not find any resource to sign with. Addresses are case sensitive.',
})

/** The key that `signWith` names: an id, or an address exactly as it is stored. */
export function keyToSignWith(signWith: string): ObjectsNeed<PrivateKey> {
  return isUuid(signWith)
    ? objectsById(privateKeys, [signWith])
    : objectsFound(privateKeys, [{ kind: 'ADDRESS', value: signWith }])
}

export function knownKey(
  rows: readonly Opened<PrivateKey>[],
  privateKeyId: string,
  organizationId: string,
): Opened<PrivateKey> {
  const row = rows.find(({ objectId }) => objectId === privateKeyId)
  if (row === undefined) throw privateKeyNotFound({ privateKeyId, organizationId })
  return row
}

/** The keys with these ids, all of them and in this order. */
export function knownKeys(
  rows: readonly Opened<PrivateKey>[],
  privateKeyIds: readonly string[],
  organizationId: string,
): readonly Opened<PrivateKey>[] {
  return privateKeyIds.map((privateKeyId) => knownKey(rows, privateKeyId, organizationId))
}

export const privateKeyNameTaken = defineFailure<{ readonly privateKeyName: string }>({
  kind: 'privateKeyNameTaken',
  code: ALREADY_EXISTS,
  say: ({ privateKeyName }) =>
    `private key label must be unique: there is a private key named ${JSON.stringify(privateKeyName)} already`,
})

export const privateKeyAlreadyImported = defineFailure<{ readonly privateKeyId: string }>({
  kind: 'privateKeyAlreadyImported',
  code: ALREADY_EXISTS,
  say: ({ privateKeyId }) =>
    `private key with ID ${privateKeyId} has already been imported in this organization`,
})

/** Refuses a name that another key holds, or that is given twice in one request. */
export function checkNewNames(names: readonly string[], taken: ReadonlySet<string>): void {
  const seen = new Set<string>()
  for (const privateKeyName of names) {
    if (seen.has(privateKeyName) || taken.has(`PRIVATE_KEY_NAME ${privateKeyName}`))
      throw privateKeyNameTaken({ privateKeyName })
    seen.add(privateKeyName)
  }
}
