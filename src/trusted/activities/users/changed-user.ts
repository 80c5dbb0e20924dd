import type { User } from '../../charter/charter.ts'
import { isSameEmail } from '../../charter/holders.ts'
import { withoutRecoveryKeys } from '../../charter/ways-in.ts'
import { contactsOf } from '../../catalogue/contacts.ts'

/** The user with the given fields changed; empty text removes a contact. Another address ends a mailed recovery key. */
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
  const keepsEmail = isSameEmail(userEmail ?? '', user.userEmail ?? '')
  // Who reads the former mailbox is no longer let in.
  const { apiKeys } = keepsEmail ? user : withoutRecoveryKeys(user)
  return {
    ...rest,
    apiKeys,
    ...contactsOf(contacts),
    // A changed contact must be verified again.
    emailVerified: user.emailVerified && keepsEmail,
    phoneNumberVerified: user.phoneNumberVerified && userPhoneNumber === user.userPhoneNumber,
    userTags: [...new Set(rest.userTags)],
  }
}
