import { costs } from '../../base/costs.ts'
import type { Work } from '../../base/work.ts'
import { Secret } from '../../base/secret.ts'
import type { Ms } from '../../base/world.ts'
import { type AddressFormat, addressFormats, addressOf } from '../../chains/address-format.ts'
import { label, list, object, oneOf, text, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { type Placed, place } from '../../catalogue/objects.ts'
import { type Curve, CURVES } from '../../crypto/curve.ts'
import { curves } from '../../crypto/curves.ts'
import { checkAddressFormats } from './address-formats.ts'
import { type PrivateKey, privateKeys } from '../../objects/private-key.ts'

export const PRIVATE_KEYS_AT_ONCE_MAX = 100

export const privateKeyParams = object({
  privateKeyName: label,
  curve: oneOf(CURVES),
  privateKeyTags: list(uuid, { max: 100 }),
  addressFormats: list(oneOf(addressFormats), { max: addressFormats.length }),
})
export type PrivateKeyParams = TypeOf<typeof privateKeyParams>

const address = object({ format: oneOf(addressFormats), address: text({ max: 200 }) })

/** The answer for a new key. */
export const privateKeyMade = object({
  privateKeyId: uuid,
  addresses: list(address, { max: addressFormats.length }),
})

/** Formats that do not fit the curve are refused before anyone is asked for approval. */
export function checkNewPrivateKeys(wanted: readonly PrivateKeyParams[]): void {
  for (const { curve, addressFormats: formats } of wanted) checkAddressFormats(curve, formats)
}

/**
 * Generates these keys one after the other, and each with its addresses. Whether their names are free and their tags
 * exist has been checked.
 *
 * @returns  `placed` holds the secrets, which the vault wipes; `made` is the answers for the caller, in the same order
 */
export async function newPrivateKeys({
  wanted,
  now,
  newId,
  randomBytes,
  work,
}: {
  readonly wanted: readonly PrivateKeyParams[]
  readonly now: Ms
  readonly newId: () => string
  readonly randomBytes: (length: number) => Uint8Array
  readonly work: Work
}): Promise<{ readonly made: readonly TypeOf<typeof privateKeyMade>[]; readonly placed: readonly Placed[] }> {
  const created: { readonly body: PrivateKey; readonly secret: Secret }[] = []
  try {
    for (const { addressFormats: formats, ...params } of wanted) {
      await work.step(costs.account * Math.max(1, formats.length))
      const secret = new Secret(curves[params.curve].generate(randomBytes))
      const body = privateKeyOf(params, { secret, formats, privateKeyId: newId(), imported: false, now })
      created.push({ body, secret })
    }
  } catch (error) {
    for (const { secret } of created) secret.wipe()
    throw error
  }
  return {
    made: created.map(({ body: { privateKeyId, addresses } }) => ({ privateKeyId, addresses })),
    placed: created.map(({ body, secret }) => place(privateKeys, body.privateKeyId, body, secret)),
  }
}

/** The metadata of the key with this secret. */
export function privateKeyOf(
  params: Omit<PrivateKeyParams, 'addressFormats'>,
  key: {
    readonly secret: Secret
    readonly formats: readonly AddressFormat[]
    readonly privateKeyId: string
    readonly imported: boolean
    readonly now: Ms
  },
): PrivateKey {
  const { curve } = params
  const { secret, formats, privateKeyId, imported, now } = key
  const publicKey = curves[curve].publicKeyOf(secret.reveal())
  const twin = imported ? twinOf(curve, secret.reveal()) : undefined
  return {
    ...params,
    privateKeyId,
    publicKey,
    ...(twin === undefined ? {} : { twin }),
    addresses: formats.map((format) => ({ format, address: addressOf(format, curve, publicKey) })),
    exported: false,
    imported,
    createdAt: now,
    updatedAt: now,
  }
}

/** The same bytes as a key on the other curve of ECDSA; a new random key needs none. */
function twinOf(curve: Curve, secret: Uint8Array): PrivateKey['twin'] {
  const other = OTHER_CURVE_OF_ECDSA[curve]
  if (other === undefined || !curves[other].isSecret(secret)) return undefined
  return { curve: other, publicKey: curves[other].publicKeyOf(secret) }
}

const OTHER_CURVE_OF_ECDSA: { readonly [C in Curve]?: Curve } = {
  CURVE_SECP256K1: 'CURVE_P256',
  CURVE_P256: 'CURVE_SECP256K1',
}
