import type { ObjectKind } from '../../trusted/catalogue/objects.ts'
import type { DirectoryEntry } from '../../trusted/catalogue/unit.ts'
import { emailEvents } from '../../trusted/objects/email-event.ts'
import { otpContacts } from '../../trusted/objects/otp-contact.ts'

/** An expired object that was removed. `body` is null if its kind has no lookup entries. */
export type Swept = {
  readonly organizationId: string
  readonly kind: string
  readonly objectId: string
  readonly body: string | null
}

/** Every kind of object that expires and has lookup entries. */
const FOUND_UNTIL_SWEPT = [emailEvents.kind, otpContacts.kind].map((kind) => `'${kind}'`).join(', ')

/** The columns of `Swept`. */
export const SWEPT = `objects.organization_id AS "organizationId", objects.kind AS kind,
  objects.object_id AS "objectId", CASE WHEN objects.kind IN (${FOUND_UNTIL_SWEPT}) THEN objects.body END AS body`

const entriesIn: Readonly<Record<string, (body: string) => ReturnType<ObjectKind<unknown>['entries']>>> = {
  [emailEvents.kind]: (body) => emailEvents.entries(emailEvents.parse(body)),
  [otpContacts.kind]: (body) => otpContacts.entries(otpContacts.parse(body)),
}

/** The lookup entries of these objects, which lead to nothing any more. */
export function sweptEntries(swept: readonly Swept[]): readonly DirectoryEntry[] {
  return swept.flatMap(({ organizationId: scope, kind, objectId: target, body }) =>
    body === null ? [] : lookupsIn(kind, body).map((key) => ({ scope, ...key, target })),
  )
}

/** Nothing has checked the seal of the body, and a body of another shape must not stop the sweeping. */
function lookupsIn(kind: string, body: string): ReturnType<ObjectKind<unknown>['entries']> {
  try {
    return (entriesIn[kind]?.(body) ?? []).filter(
      ({ value }) => typeof value === 'string' && !value.includes('\0'),
    )
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return []
    throw error
  }
}
