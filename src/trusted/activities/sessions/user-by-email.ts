import type { Charter, User } from '../../charter/charter.ts'
import { holderOfContact } from '../../charter/holders.ts'
import { contactNotFound } from '../otp/failures.ts'

/**
 * The user whose address it is; nobody's where several have it, because whose is meant would be a guess.
 *
 * @throws  Failure `contactNotFound`
 */
export function userByEmail(charter: Charter, email: string): User & { readonly userEmail: string } {
  const user = holderOfContact(charter.users, { verificationType: 'OTP_TYPE_EMAIL', contact: email })
  if (user?.userEmail === undefined)
    throw contactNotFound({ contact: email, organizationId: charter.organizationId })
  return { ...user, userEmail: user.userEmail }
}
