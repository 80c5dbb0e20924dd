import { type Activity, defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, optional, type Shape, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { changedUser } from './changed-user.ts'
import {
  presentedProof,
  proofOfContactFailures,
  proofUse,
  verificationTokenOrNone,
  withProof,
} from './proof-of-contact.ts'
import { userFacts } from './user-facts.ts'

type Contact = 'userEmail' | 'userPhoneNumber'
type Intent = { readonly userId: string; readonly verificationToken?: string } & {
  readonly [C in Contact]?: string
}

/**
 * An activity that changes or removes one contact of a user. With the token of a one-time code that was sent there the
 * contact is stored as verified, otherwise as unverified. Empty text removes it.
 */
export function contactUpdate(declared: {
  readonly operation: string
  readonly summary: string
  readonly type: string
  readonly resultKey: string
  /** Its name, its shape with the failure of that, the kind of code that proves it, and an example. */
  readonly contact: Contact
  readonly shape: Shape<string>
  readonly invalid: { readonly kind: string }
  readonly verificationType: string
  readonly example: string
}): Activity {
  const { operation, summary, type, resultKey, contact: name, verificationType } = declared
  const fields = {
    userId: uuid,
    [name]: declared.shape,
    verificationToken: optional(verificationTokenOrNone),
  }
  // A name that is computed is lost in the type of the object: it is that of one of the contacts.
  const intent = object(fields) as Shape<unknown> as Shape<Intent>
  return defineActivity({
    operation,
    summary,
    forms: form(type, intent, { key: resultKey, shape: object({ userId: uuid }) }),
    resource: 'USER',
    action: 'UPDATE',
    authority: { kind: 'policies' },
    amends: true,
    personal: { of: 'one' },
    fails: [...memberFailures, declared.invalid, ...proofOfContactFailures],
    example: {
      intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002', [name]: declared.example },
      result: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
    },
    params: userFacts,
    needs: ({ verificationToken }) => ({ uses: proofUse(verificationToken) }),
    verify: async ({ verificationToken }, means) => await presentedProof(verificationToken, means),

    async execute({
      intent: { userId, [name]: contact = '' },
      charter,
      rows,
      verified: token,
      now,
      randomBytes,
      work,
    }) {
      const changed = changedUser(knownUser(charter, userId), { [name]: contact })
      const proof = { token, contact: { verificationType, contact }, found: rows.uses, randomBytes }
      const { user, put } = withProof(changed, proof)
      return { result: { userId }, charter: await work.through(withUsers(charter, [user], now)), put }
    },
  })
}
