import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { form } from '../../catalogue/form.ts'
import {
  boolean,
  int32,
  label,
  list,
  object,
  optional,
  type Shape,
  text,
  type TypeOf,
  uuid,
} from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { authenticatorParams } from '../credentials/authenticator-params.ts'
import {
  type PrivateKeyParams,
  PRIVATE_KEYS_AT_ONCE_MAX,
  privateKeyMade,
  privateKeyParams,
} from '../private-keys/new-private-key.ts'
import { clientSignatureParams } from '../otp/client-signature-params.ts'
import {
  ROOT_USER_NAME,
  rootUserParamsV1,
  rootUserParamsV2,
  rootUserParamsV3,
  rootUserParamsV4,
  rootUserParamsV5,
  rootUserV1Up,
  rootUserV2Up,
} from '../users/user-params.ts'
import { walletFields, walletMade } from '../wallets/new-wallet.ts'

export const missingWalletParams = defineFailure<{ readonly field: string }>({
  kind: 'missingWalletParams',
  code: INVALID_ARGUMENT,
  say: ({ field }) => `missing wallet params: ${field} is required`,
})

const wallet = object(walletFields, (field) => missingWalletParams({ field }))

/** Empty text counts as absent. */
const verificationToken = text({ max: 16_384 })

const rootUsers = <T>(params: Shape<T>) => ({ rootUsers: list(params, { max: limits.users }) })
const named = { subOrganizationName: label, rootQuorumThreshold: int32 }
const emailOptions = {
  wallet: optional(wallet),
  disableEmailRecovery: optional(boolean),
  disableEmailAuth: optional(boolean),
}
const allOptions = {
  ...emailOptions,
  disableSmsAuth: optional(boolean),
  disableOtpEmailAuth: optional(boolean),
  verificationToken: optional(verificationToken),
  clientSignature: optional(clientSignatureParams),
}

const intentV1 = object({ name: label, rootAuthenticator: authenticatorParams })
const intentV2 = object({ ...named, ...rootUsers(rootUserParamsV1) })
const intentV3 = object({
  ...named,
  ...rootUsers(rootUserParamsV1),
  privateKeys: list(privateKeyParams, { max: PRIVATE_KEYS_AT_ONCE_MAX }),
})
const intentV4 = object({ ...named, ...rootUsers(rootUserParamsV1), ...emailOptions })
const intentV5 = object({ ...named, ...rootUsers(rootUserParamsV2), ...emailOptions })
const intentV6 = object({ ...named, ...rootUsers(rootUserParamsV3), ...emailOptions })
const intentV7 = object({ ...named, ...rootUsers(rootUserParamsV4), ...allOptions })
const intentV8 = object({ ...named, ...rootUsers(rootUserParamsV5), ...allOptions })

const established = { subOrganizationId: uuid, rootUserIds: list(uuid, { max: limits.users }) }
const result = object(established)
const privateKeys = list(privateKeyMade, { max: PRIVATE_KEYS_AT_ONCE_MAX })
const resultV3 = object({ ...established, privateKeys })
const withWallet = object({ ...established, wallet: optional(walletMade) })
/** Keys are answered in the third form only, the only one that can request them. */
const resultV4: Shape<TypeOf<typeof withWallet> & { readonly privateKeys?: TypeOf<typeof privateKeys> }> =
  withWallet

const TYPE = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION'
const KEY = 'createSubOrganizationResult'

export const subOrganizationForms = form(TYPE, intentV1, { key: KEY, shape: result })
  .next(`${TYPE}_V2`, intentV2, {
    up: ({ name, rootAuthenticator }) => ({
      subOrganizationName: name,
      rootQuorumThreshold: 1,
      rootUsers: [{ userName: ROOT_USER_NAME, apiKeys: [], authenticators: [rootAuthenticator] }],
    }),
  })
  .next(`${TYPE}_V3`, intentV3, {
    up: (older) => ({ ...older, privateKeys: [] }),
    result: {
      key: `${KEY}V3`,
      shape: resultV3,
      down: ({ subOrganizationId, rootUserIds }) => ({ subOrganizationId, rootUserIds }),
    },
  })
  .next(`${TYPE}_V4`, carryingKeys(intentV4), {
    up: (older) => older,
    result: {
      key: `${KEY}V4`,
      shape: resultV4,
      down: ({ subOrganizationId, rootUserIds, privateKeys = [] }) => ({
        subOrganizationId,
        rootUserIds,
        privateKeys,
      }),
    },
  })
  .next(`${TYPE}_V5`, carryingKeys(intentV5), {
    up: (older) => ({ ...older, rootUsers: older.rootUsers.map(rootUserV1Up) }),
    result: { key: `${KEY}V5`, shape: resultV4, down: (newer) => newer },
  })
  .next(`${TYPE}_V6`, carryingKeys(intentV6), {
    up: (older) => ({ ...older, rootUsers: older.rootUsers.map(rootUserV2Up) }),
    result: { key: `${KEY}V6`, shape: resultV4, down: (newer) => newer },
  })
  .next(`${TYPE}_V7`, carryingKeys(intentV7), {
    up: (older) => older,
    result: { key: `${KEY}V7`, shape: resultV4, down: (newer) => newer },
  })
  .next(`${TYPE}_V8`, carryingMore(intentV8), {
    up: (older) => ({ ...older, tokenMayBeUnbound: true as const }),
    result: { key: `${KEY}V8`, shape: resultV4, down: (newer) => newer },
  })

/** Private keys can be requested in the third form only; they are carried into the newest form. */
function carryingKeys<T>(shape: Shape<T>): Shape<T & { readonly privateKeys?: readonly PrivateKeyParams[] }> {
  // What is read in this form never has the optional field, which is one of the two things the wider type allows.
  return shape as Shape<T & { readonly privateKeys?: readonly PrivateKeyParams[] }>
}

/** In the newest form a verification token must be bound to a key; older forms carry a mark that it may be unbound. */
function carryingMore<T>(
  shape: Shape<T>,
): Shape<T & { readonly privateKeys?: readonly PrivateKeyParams[]; readonly tokenMayBeUnbound?: true }> {
  // As above: neither field is ever read in this form.
  return shape as Shape<
    T & { readonly privateKeys?: readonly PrivateKeyParams[]; readonly tokenMayBeUnbound?: true }
  >
}
