import { list, object, optional, text, uuid } from '../../catalogue/shape.ts'
import { apiKeyShape, authenticatorShape, oauthProviderShape, times } from './credential-shapes.ts'

/** A user as answers tell of one, with every credential. Nothing of it is secret. */
export const userShape = object({
  userId: uuid,
  userName: text({ max: 255 }),
  userEmail: optional(text({ max: 254 })),
  userPhoneNumber: optional(text({ max: 16 })),
  authenticators: list(authenticatorShape, { max: 10 }),
  apiKeys: list(apiKeyShape, { max: 20 }),
  userTags: list(uuid, { max: 100 }),
  oauthProviders: list(oauthProviderShape, { max: 10 }),
  // Rules for a second factor are not part of this version: the list is empty.
  mfaPolicies: list(object({}), { max: 0 }),
  ...times,
})
