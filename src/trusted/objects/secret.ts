import { defineFailure, NOT_FOUND } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import { defineKind, type LookupKey, type Opened } from '../catalogue/objects.ts'
import type { Fields } from '../policy/types.ts'
import { propertyFacts, type StaticProperty } from './static-properties.ts'

/** The highest number of secrets that one activity imports or exports. */
export const SECRETS_AT_ONCE_MAX = 20

/** The metadata of a secret, sealed together with its bytes. It never changes. */
type StoredSecret = {
  readonly secretId: string
  readonly name?: string
  readonly staticProperties: readonly StaticProperty[]
  readonly createdAt: Ms
}

export const EVERY_SECRET: LookupKey = { kind: 'SECRET', value: '' }

/** Their names are no claims: the new version of a password has the name of the old one. */
export const secrets = defineKind<StoredSecret>({
  kind: 'secret',
  // All of them are found under one entry, page by page.
  entries: () => [EVERY_SECRET],
})

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

/**
 * The facts of the secrets that a request names. Without an existing secret there are no facts, and the request fails.
 */
export function factsOfSecrets(rows: readonly Opened<StoredSecret>[]): Fields {
  return rows.length === 0 ? {} : propertyFacts(rows.map(({ body }) => body.staticProperties))
}
