import type { Charter, User } from '../../charter/charter.ts'
import { holderOfContact } from '../../charter/holders.ts'
import { contactNotFound } from '../otp/failures.ts'

/**
 * The only user with this address. Where several users have it, the request is ambiguous and fails.
 *
 * @throws  Failure `contactNotFound`
 */
export function userByEmail(charter: Charter, email: string): User & { readonly userEmail: string } {
  const user = holderOfContact(charter.users, { verificationType: 'OTP_TYPE_EMAIL', contact: email })
  if (user?.userEmail === undefined)
    throw contactNotFound({ contact: email, organizationId: charter.organizationId })
  return { ...user, userEmail: user.userEmail }
}
