import type { Effect } from '../../catalogue/activity.ts'
import type { Opened } from '../../catalogue/objects.ts'
import { object, optional, uuid } from '../../catalogue/shape.ts'
import type { Charter } from '../../charter/charter.ts'
import type { ProvenContact } from '../../charter/holders.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import type { VerificationToken } from '../../crypto/verification-token.ts'
import type { UsedToken } from '../../objects/used-token.ts'
import { changedUser } from './changed-user.ts'
import { proofOfContactFailures, verificationTokenOrNone, withProof } from './proof-of-contact.ts'

/** Beside the contact itself. */
export const contactUpdateParams = { userId: uuid, verificationToken: optional(verificationTokenOrNone) }

export const contactUpdateResult = object({ userId: uuid })

export const contactUpdateFailures = [...memberFailures, ...proofOfContactFailures]

/** What the changes of each contact of a user have in common. */
export const contactUpdate = {
  resource: 'USER',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
} as const

/**
 * Stored as proven with the token of a one-time code that was sent there, and unproven without. Empty text removes the contact.
 *
 * @param given  the contact, under its name
 */
export function updatedContact(
  userId: string,
  given: { readonly userEmail: string } | { readonly userPhoneNumber: string },
  verificationType: ProvenContact['verificationType'],
  execution: {
    readonly charter: Charter
    readonly rows: { readonly uses: readonly Opened<UsedToken>[] }
    readonly verified: VerificationToken | undefined
    readonly now: number
    readonly randomBytes: (length: number) => Uint8Array
  },
): Effect<{ readonly userId: string }> {
  const { charter, rows, verified: token, now, randomBytes } = execution
  const changed = changedUser(knownUser(charter, userId), given)
  const contact = 'userEmail' in given ? given.userEmail : given.userPhoneNumber
  const proof = { token, contact: { verificationType, contact }, found: rows.uses, randomBytes }
  const { user, put } = withProof(changed, proof)
  return { result: { userId }, charter: withUsers(charter, [user], now), put }
}
