import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import type { ObjectsNeed, Opened, Placed } from '../../catalogue/objects.ts'
import type { Service } from '../../catalogue/service.ts'
import { text } from '../../catalogue/shape.ts'
import type { Charter, User } from '../../charter/charter.ts'
import { isContactOf, type ProvenContact, withProvenContact } from '../../charter/holders.ts'
import { peekVerificationToken, type VerificationToken } from '../../crypto/verification-token.ts'
import { presentedToken, presentedTokenFailures } from '../otp/presented-token.ts'
import { type UsedToken, useOf, useToken, verificationTokenUsed } from '../../objects/used-token.ts'

const verificationTokenNotOfContact = defineFailure<{ readonly contact: string }>({
  kind: 'verificationTokenNotOfContact',
  code: INVALID_ARGUMENT,
  say: ({ contact }) =>
    `invalid verification token: it does not prove ${JSON.stringify(contact)}, which is to be the contact of the user`,
})

export const proofOfContactFailures = [
  ...presentedTokenFailures,
  verificationTokenUsed,
  verificationTokenNotOfContact,
]

/** The token of the one-time code that was sent to a contact. Empty text counts as absent. */
export const verificationTokenOrNone = text({ max: 16_384 })

/** For `needs`. */
export function proofUse(token: string | undefined): ObjectsNeed<UsedToken> {
  return useOf('CONTACT', token === undefined ? undefined : peekVerificationToken(token)?.id)
}

/** The token, where there is one. For `verify`. */
export async function presentedProof(
  token: string | undefined,
  where: { readonly charter: Charter; readonly service: Service; readonly now: Ms },
): Promise<VerificationToken | undefined> {
  return token === undefined || token === '' ? undefined : await presentedToken(token, where)
}

/**
 * The user with a contact that was just set, marked as verified where there is a token; the token is then used up.
 *
 * @param contact  the contact that the token must prove, and its type
 * @throws         Failures, of `proofOfContactFailures`
 */
export function withProof(
  user: User,
  proof: {
    readonly token: VerificationToken | undefined
    readonly contact: ProvenContact
    readonly found: readonly Opened<UsedToken>[]
    readonly randomBytes: (length: number) => Uint8Array
  },
): { readonly user: User; readonly put: readonly Placed[] } {
  const { token, contact, found, randomBytes } = proof
  if (token === undefined) return { user, put: [] }
  if (token.verificationType !== contact.verificationType || !isContactOf(user, token))
    throw verificationTokenNotOfContact({ contact: contact.contact })
  const use = { tokenId: token.id, purpose: 'CONTACT', expiresAt: token.expiresAt } as const
  return { user: withProvenContact(user, token), put: [useToken(found, use, randomBytes)] }
}
