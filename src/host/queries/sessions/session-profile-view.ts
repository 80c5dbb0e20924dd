import { label, named, object, optional, text, uuid } from '../../../trusted/catalogue/shape.ts'
import type { Reader } from '../../../trusted/catalogue/query.ts'
import type { Charter, SessionProfile } from '../../../trusted/charter/charter.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { times } from '../shapes.ts'

export const sessionProfileShape = named(
  'SessionProfile',
  object({
    sessionProfileId: uuid,
    sessionProfileName: label,
    scope: text({ max: 65_536 }),
    expirationSeconds: optional(text({ max: 20 })),
    notes: optional(text({ max: 65_536 })),
    ...times,
  }),
)

export function sessionProfileView({ expirationSeconds, createdAt, updatedAt, ...profile }: SessionProfile) {
  return {
    ...profile,
    ...(expirationSeconds === undefined ? {} : { expirationSeconds: String(expirationSeconds) }),
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}

/** The organization whose session profiles apply: the parent, for a sub-organization. */
export async function profileOwner({
  charter,
  parent,
}: Pick<Reader, 'charter' | 'parent'>): Promise<Charter> {
  return (await parent()) ?? charter
}
