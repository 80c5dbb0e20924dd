import type { User } from '../../charter/charter.ts'
import { isSameEmail } from '../../charter/holders.ts'
import { contactsOf } from '../../catalogue/contacts.ts'

/** The user with the given fields changed; empty text removes a contact. */
export function changedUser(
  user: User,
  given: {
    readonly userName?: string
    readonly userEmail?: string
    readonly userPhoneNumber?: string
    readonly userTags?: readonly string[]
  },
): User {
  const { userEmail, userPhoneNumber, ...rest } = { ...user, ...given }
  const contacts = {
    ...(userEmail === undefined ? {} : { userEmail }),
    ...(userPhoneNumber === undefined ? {} : { userPhoneNumber }),
  }
  return {
    ...rest,
    ...contactsOf(contacts),
    // A changed contact must be verified again.
    emailVerified: user.emailVerified && isSameEmail(userEmail ?? '', user.userEmail ?? ''),
    phoneNumberVerified: user.phoneNumberVerified && userPhoneNumber === user.userPhoneNumber,
    userTags: [...new Set(rest.userTags)],
  }
}
