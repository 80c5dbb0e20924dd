import {
  boolean,
  label,
  list,
  named,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../trusted/catalogue/shape.ts'
import { addressFormats } from '../../trusted/chains/address-format.ts'
import { CURVES } from '../../trusted/crypto/curve.ts'

/** The shapes of answers, for OpenAPI and the reference; `src/trusted/charter/view.ts` makes the answers. */
const anyText = text({ max: 65_536 })

export const timestampShape = named('Timestamp', object({ seconds: anyText, nanos: anyText }))

export const times = { createdAt: timestampShape, updatedAt: timestampShape }

export const tagShape = named(
  'Tag',
  object({
    tagId: uuid,
    tagName: label,
    tagType: oneOf(['TAG_TYPE_USER', 'TAG_TYPE_PRIVATE_KEY']),
    ...times,
  }),
)

export const policyShape = named(
  'Policy',
  object({
    policyId: uuid,
    policyName: label,
    effect: oneOf(['EFFECT_ALLOW', 'EFFECT_DENY']),
    notes: anyText,
    consensus: anyText,
    condition: anyText,
    time: optional(anyText),
    ...times,
  }),
)

export const privateKeyShape = named(
  'PrivateKey',
  object({
    privateKeyId: uuid,
    publicKey: anyText,
    privateKeyName: label,
    curve: oneOf(CURVES),
    addresses: list(object({ format: oneOf(addressFormats), address: anyText }), {
      max: addressFormats.length,
    }),
    privateKeyTags: list(uuid, { max: 100 }),
    exported: boolean,
    imported: boolean,
    ...times,
  }),
)

export const walletShape = named(
  'Wallet',
  object({
    walletId: uuid,
    walletName: label,
    exported: boolean,
    imported: boolean,
    ...times,
  }),
)

export const walletAccountShape = named(
  'WalletAccount',
  object({
    walletAccountId: uuid,
    organizationId: uuid,
    walletId: uuid,
    name: optional(label),
    curve: oneOf(CURVES),
    pathFormat: oneOf(['PATH_FORMAT_BIP32']),
    path: anyText,
    addressFormat: oneOf(addressFormats),
    address: anyText,
    publicKey: optional(anyText),
    walletDetails: optional(walletShape),
    ...times,
  }),
)
