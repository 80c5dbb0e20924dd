import { isDeepStrictEqual } from 'node:util'
import { defineFailure, Failure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import type { Service } from '../../catalogue/service.ts'
import { list, object, optional, text, type TypeOf } from '../../catalogue/shape.ts'
import type { Charter, User } from '../../charter/charter.ts'
import { type ProvenContact, isContactOf, withProvenContact } from '../../charter/holders.ts'
import { type ClientSignature, clientSignatureInvalid } from '../../crypto/client-signature.ts'
import type { VerificationToken } from '../../crypto/verification-token.ts'
import { API_KEYS_AT_ONCE_MAX, apiKeyParams } from '../credentials/api-key-params.ts'
import { authenticatorParams, AUTHENTICATORS_AT_ONCE_MAX } from '../credentials/authenticator-params.ts'
import { oauthProviderParamsList } from '../oauth/provider-params.ts'
import { presentedToken, presentedTokenFailures } from '../otp/presented-token.ts'
import { verificationTokenUsed } from '../../objects/used-token.ts'
import { contactsOf } from '../../catalogue/contacts.ts'
import type { UserParams } from '../users/user-params.ts'
import { signedUsage } from '../otp/signed-usage.ts'

const signUpContactNotFound = defineFailure<{ readonly contact: string }>({
  kind: 'signUpContactNotFound',
  code: INVALID_ARGUMENT,
  say: ({ contact }) =>
    `invalid verification token: no root user has the contact ${JSON.stringify(contact)} that it is about`,
})

export const signUpFailures = [
  ...presentedTokenFailures,
  verificationTokenUsed,
  clientSignatureInvalid,
  signUpContactNotFound,
]

/** The additional parts of a sign-up with a one-time code. */
type SignUp = {
  readonly verificationToken?: string
  readonly clientSignature?: ClientSignature
  /** True in the form from before tokens were bound to keys. */
  readonly tokenMayBeUnbound?: true
  readonly rootUsers: readonly UserParams[]
}

/**
 * The contact that a root user proved before the organization existed. For `verify`.
 *
 * @returns  undefined where the request has no verification token
 */
export async function provenSignUp(
  signUp: SignUp,
  where: { readonly charter: Charter; readonly service: Service; readonly now: Ms },
): Promise<VerificationToken | undefined> {
  const { verificationToken = '', clientSignature, rootUsers } = signUp
  if (verificationToken === '') {
    if (clientSignature !== undefined)
      throw clientSignatureInvalid({ why: 'there is no verification token that it could be about' })
    return undefined
  }
  const token = await presentedToken(verificationToken, where)
  const user = rootUsers.find((rootUser) => isContactOf(contactsOf(rootUser), token))
  if (user === undefined) throw signUpContactNotFound({ contact: token.contact })
  await checkSignature(token, signUp, user)
  return token
}

/** Marks the contact of the first user who has it as verified; the signature is about this user. */
export function withSignUp(users: readonly User[], proven: ProvenContact | undefined): readonly User[] {
  if (proven === undefined) return users
  const first = users.findIndex((user) => isContactOf(user, proven))
  return users.map((user, index) => (index === first ? withProvenContact(user, proven) : user))
}

/**
 * The holder of the token's key signs the content of the sign-up; otherwise the carrier of the request could change it.
 */
async function checkSignature(token: VerificationToken, signUp: SignUp, user: UserParams): Promise<void> {
  const usage = await signedUsage(token, signUp.clientSignature, 'signup')
  if (usage === undefined) {
    if (signUp.tokenMayBeUnbound !== true)
      throw clientSignatureInvalid({ why: 'the verification token is bound to no key' })
    return
  }
  const signed = comparable(readSignUp(usage.signup))
  const { userEmail: email = '', userPhoneNumber: phoneNumber = '' } = user
  if (!isDeepStrictEqual(signed, comparable({ ...user, email, phoneNumber })))
    throw clientSignatureInvalid({
      why: 'the message is about a root user with other contacts or credentials',
    })
}

/** The usage `signupV2`; in `signup` the entries of `oauthProviders` are never claims. */
const signUpMessage = object({
  apiKeys: optional(list(apiKeyParams, { max: API_KEYS_AT_ONCE_MAX })),
  authenticators: optional(list(authenticatorParams, { max: AUTHENTICATORS_AT_ONCE_MAX })),
  oauthProviders: optional(oauthProviderParamsList),
  email: optional(text({ max: 1024 })),
  phoneNumber: optional(text({ max: 1024 })),
})
type SignUpMessage = TypeOf<typeof signUpMessage>

function readSignUp(json: unknown): SignUpMessage {
  try {
    return signUpMessage.read(json, '', 'lenient')
  } catch (error) {
    if (error instanceof Failure)
      throw clientSignatureInvalid({ why: `the sign-up in the message cannot be read: ${error.message}` })
    throw error
  }
}

/** Both were read by the same shapes, so equal content is equal here; absent fields are empty. */
function comparable(message: SignUpMessage): Required<SignUpMessage> {
  const { apiKeys = [], authenticators = [], oauthProviders = [], email = '', phoneNumber = '' } = message
  return { apiKeys, authenticators, oauthProviders, email, phoneNumber }
}
