import { list, named, object, optional, text, uuid } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { mfaPolicyShape } from '../mfa/mfa-shapes.ts'
import {
  apiKeyShape,
  authenticatorShape,
  oauthProviderShape,
  walletAuthenticatorShape,
} from './credential-shapes.ts'
import { times } from '../shapes.ts'

/** A user in answers, with all credentials. It contains nothing secret. */
export const userShape = named(
  'User',
  object({
    userId: uuid,
    userName: text({ max: 255 }),
    userEmail: optional(text({ max: 254 })),
    userPhoneNumber: optional(text({ max: 16 })),
    authenticators: list(authenticatorShape, { max: 10 }),
    apiKeys: list(apiKeyShape, { max: 20 }),
    userTags: list(uuid, { max: 100 }),
    oauthProviders: list(oauthProviderShape, { max: 10 }),
    walletAuthenticators: list(walletAuthenticatorShape, { max: limits.walletAuthenticatorsPerUser }),
    mfaPolicies: list(mfaPolicyShape, { max: limits.mfaPoliciesPerUser }),
    ...times,
  }),
)
