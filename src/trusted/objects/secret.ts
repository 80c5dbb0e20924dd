import { defineFailure, NOT_FOUND } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import { claimsNothing, type LookupKey, type ObjectKind, type Opened } from '../catalogue/objects.ts'
import type { Fields } from '../policy/types.ts'
import { propertyFacts, type StaticProperty } from './static-properties.ts'

/** How many one activity brings in or hands out. */
export const SECRETS_AT_ONCE_MAX = 20

/** What is known of a secret beside its bytes, which are sealed together with it. None of it ever changes. */
type StoredSecret = {
  readonly secretId: string
  readonly name?: string
  readonly staticProperties: readonly StaticProperty[]
  readonly createdAt: Ms
}

export const EVERY_SECRET: LookupKey = { kind: 'SECRET', value: '' }

export const secrets: ObjectKind<StoredSecret> = {
  kind: 'secret',
  // There is no way to rename a secret: the new version of a password is called what the old one was.
  ...claimsNothing('a secret'),
  // All of them are found under one entry, page by page.
  entries: () => [EVERY_SECRET],
  // Only a body that the vault has sealed is parsed, and it sealed no other shape.
  parse: (body) => JSON.parse(body) as StoredSecret,
}

export const secretNotFound = defineFailure<{ readonly secretId: string; readonly organizationId: string }>({
  kind: 'secretNotFound',
  code: NOT_FOUND,
  say: ({ secretId, organizationId }) =>
    `unable to find secret ${secretId} in organization ${organizationId}`,
})

/** The secrets with these ids, all of them and in this order. */
export function knownSecrets(
  rows: readonly Opened<StoredSecret>[],
  secretIds: readonly string[],
  organizationId: string,
): readonly Opened<StoredSecret>[] {
  const byId = new Map(rows.map((row) => [row.objectId, row]))
  return secretIds.map((secretId) => {
    const row = byId.get(secretId)
    if (row === undefined) throw secretNotFound({ secretId, organizationId })
    return row
  })
}

/** What policies see of secrets that a request names. Of none, as of no key, they see nothing; what was asked for fails then. */
export function factsOfSecrets(rows: readonly Opened<StoredSecret>[]): Fields {
  return rows.length === 0 ? {} : propertyFacts(rows.map(({ body }) => body.staticProperties))
}
